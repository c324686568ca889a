import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { countFollowed, followFile, noteVersions, untilChanged } from './follow-file.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-follow-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const never = new AbortController().signal

describe('followFile', () => {
  it('never takes a file that grows while it is read for another one', async () => {
    const path = join(dir, 'growing')
    writeFileSync(path, '')
    const reader = followFile(path, 0)
    const seen: string[] = []
    for (let round = 0; round < 20; round++) {
      appendFileSync(path, 'seen by a look\n')
      await reader.look()
      appendFileSync(path, 'only read\n')
      for (let times = 0; times < 2; times++) {
        const lines = await reader.next()
        expect(lines).not.toBe('reset')
        if (lines !== 'reset') seen.push(...lines.map(({ text }) => text))
      }
    }
    reader.close()
    expect(seen).toEqual(Array.from({ length: 20 }, () => ['seen by a look', 'only read']).flat())
  })

  it('waits for a file that is not there yet, and watches one once for all', async () => {
    const path = join(dir, 'later')
    const readers = [followFile(path, 0), followFile(path, 0)]
    expect(countFollowed()).toBe(1)
    for (const reader of readers) expect(await reader.next()).toEqual([])
    const hasChanged = noteVersions(readers)
    writeFileSync(path, 'here\n')
    await untilChanged(readers, hasChanged, never)
    for (const reader of readers) {
      expect(await reader.next()).toMatchObject([{ text: 'here', start: 0, end: 5 }])
      reader.close()
    }
    expect(countFollowed()).toBe(0)
  })

  it('says when another file stands in its place', async () => {
    const path = join(dir, 'replaced')
    writeFileSync(path, 'old\n')
    const reader = followFile(path, 0)
    expect(await reader.next()).toMatchObject([{ text: 'old' }])
    writeFileSync(`${path}.new`, 'a longer new one\n')
    renameSync(`${path}.new`, path)
    await reader.look()
    expect(await reader.next()).toBe('reset')
    expect(await reader.next()).toMatchObject([{ text: 'a longer new one' }])
    reader.close()
  })
})
