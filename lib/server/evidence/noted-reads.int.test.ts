import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { NotedReads, noteRead, notingReads, refuseNoting } from './noted-reads.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-reads-'))
const file = join(folder, 'evidence.txt')
const absent = join(folder, 'absent.txt')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let reads: NotedReads
beforeEach(async () => {
  rmSync(absent, { force: true })
  writeFileSync(file, 'sealed')
  // Longer than a tick of the clock that files have.
  await pause(20)
  reads = new NotedReads()
  await notingReads(reads, async () => {
    await pause(1)
    noteRead(file)
    noteRead(absent)
  })
})

describe('what some work read', () => {
  it('is unchanged while its files are, however much else was read outside', () => {
    expect(reads.areUnchanged()).toBe(true)
    noteRead(folder)
    writeFileSync(join(folder, 'other.txt'), '')
    expect(reads.areUnchanged()).toBe(true)
  })

  it.each([
    ['written', () => writeFileSync(file, 'sealed')],
    [
      'written and given its old time',
      () => {
        writeFileSync(file, 'forged')
        utimesSync(file, 1, 1)
      },
    ],
    [
      'replaced',
      () => {
        writeFileSync(`${file}.new`, 'sealed')
        renameSync(`${file}.new`, file)
      },
    ],
    ['removed', () => rmSync(file)],
    ['made', () => writeFileSync(absent, '')],
  ])('is changed once a file was %s', (_, change) => {
    change()
    expect(reads.areUnchanged()).toBe(false)
  })

  it('is changed for good when a file changed while it was read', () => {
    writeFileSync(file, 'forged')
    notingReads(reads, () => noteRead(file))
    expect(reads.areUnchanged()).toBe(false)
  })

  it('is never known of what cannot be looked at again', () => {
    notingReads(reads, refuseNoting)
    expect(reads.areUnchanged()).toBe(false)
  })
})
