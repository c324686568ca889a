import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { openFile } from '../evidence/byte-reader.ts'
import { readRange } from './read-log.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-log-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function readAll(path: string, length: number): Promise<string> {
  let text = ''
  let offset: number | null = 0
  while (offset !== null) {
    const range = await readRange(await openFile(path), offset, length)
    text += range!.text
    expect(range!.nextOffset === null || range!.nextOffset > offset).toBe(true)
    offset = range!.nextOffset
  }
  return text
}

describe('readRange', () => {
  it('gives the whole text in parts, whatever the characters and the size of a part', async () => {
    const line = fc.string({ unit: 'binary' })
    const file = join(dir, 'log')
    const parts = fc.asyncProperty(
      fc.array(line),
      fc.integer({ min: 4, max: 40 }),
      async (lines, length) => {
        const text = lines.join('\n')
        writeFileSync(file, text)
        expect(await readAll(file, length)).toBe(Buffer.from(text).toString('utf8'))
      },
    )
    await fc.assert(parts, { numRuns: 150 })
  })

  it('ends with broken bytes as well, one replacement sign each', async () => {
    const file = join(dir, 'broken')
    writeFileSync(
      file,
      Buffer.concat([Buffer.from('ok\n'), Buffer.alloc(50, 0x80), Buffer.from([0xf0, 0x9f])]),
    )
    const text = await readAll(file, 16)
    expect(text.startsWith('ok\n�')).toBe(true)
    expect(text.length).toBeGreaterThan(40)
  })

  it('ends a part after a whole line where it can', async () => {
    const file = join(dir, 'lines')
    writeFileSync(file, 'one\ntwo\nthree\n')
    expect(await readRange(await openFile(file), 0, 10)).toEqual({
      text: 'one\ntwo\n',
      offset: 0,
      nextOffset: 8,
      sizeBytes: 14,
    })
    expect(await readRange(await openFile(file), 8, 10)).toEqual({
      text: 'three\n',
      offset: 8,
      nextOffset: null,
      sizeBytes: 14,
    })
    expect(await readRange(await openFile(file), 99, 10)).toEqual({
      text: '',
      offset: 14,
      nextOffset: null,
      sizeBytes: 14,
    })
  })

  it('opens no link, no folder and nothing that is missing', async () => {
    symlinkSync('/etc/passwd', join(dir, 'link'))
    for (const name of ['link', '.', 'missing'])
      expect(await readRange(await openFile(join(dir, name)), 0, 10)).toBeNull()
  })
})
