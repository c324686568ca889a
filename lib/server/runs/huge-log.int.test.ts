import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { SearchPart } from '#lib/domain/api/index.ts'
import { openFile } from '../evidence/byte-reader.ts'
import { indexLines, readLines } from './read-lines.ts'
import { makeFinder, searchLines } from './search-lines.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-huge-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Two megabytes of short lines, an empty one, one of a megabyte, and a last one without an end. */
const LINES = [
  ...Array.from(
    { length: 60_000 },
    (_, at) => `line ${at} of the log, ${at % 7 === 0 ? 'Needle' : 'hay'}`,
  ),
  '',
  `${'long '.repeat(200_000)}needle`,
  ...Array.from({ length: 20_000 }, (_, at) => `after ${at}`),
  'the last NEEDLE',
]
const file = join(dir, 'log')
writeFileSync(file, LINES.join('\n'))

async function search(path: string, text: string, { from = 1, limit = 1e6 } = {}) {
  const parts: SearchPart[] = []
  const { signal } = new AbortController()
  for await (const part of searchLines(() => openFile(path), { text, from, limit, signal }))
    parts.push(part)
  const hits = parts.flatMap((part) => ('hits' in part ? part.hits : []))
  const end = parts.at(-1)
  return { lines: hits.map(({ line }) => line), hits, end: end && 'partial' in end ? end : null }
}

const linesWith = (text: string, lines: readonly string[] = LINES) =>
  lines.flatMap((line, at) => (line.toLowerCase().includes(text.toLowerCase()) ? [at + 1] : []))

describe('lines of a large log', () => {
  it('are found by their numbers, from any of them on', async () => {
    for (const first of [0, 1, 9999, 30_000, 59_999, 60_000, 60_001, 60_002, LINES.length - 1]) {
      const window = await readLines(() => openFile(file), first, 3)
      expect(window?.total).toBe(LINES.length)
      const expected = LINES.slice(first, first + 3)
      expect(window?.lines.map(({ text }) => text)).toEqual(
        expected.map((line) => line.slice(0, 4096)),
      )
      expect(window?.lines.map(({ restBytes }) => restBytes)).toEqual(
        expected.map((line) => Math.max(0, line.length - 4096)),
      )
    }
  })

  it('are none behind the end, in a folder, through a link', async () => {
    expect((await readLines(() => openFile(file), LINES.length + 5, 3))?.lines).toEqual([])
    symlinkSync('/etc/passwd', join(dir, 'link'))
    for (const name of ['link', '.', 'missing'])
      expect(await readLines(() => openFile(join(dir, name)), 0, 3)).toBeNull()
  })

  it('are counted again when the file is replaced', async () => {
    const path = join(dir, 'changing')
    writeFileSync(path, 'one\ntwo\n')
    expect((await readLines(() => openFile(path), 0, 9))?.total).toBe(2)
    writeFileSync(path, 'one\ntwo\nthree')
    expect((await readLines(() => openFile(path), 0, 9))?.total).toBe(3)
  })

  it('are marked for every step, whatever their lengths', async () => {
    const path = join(dir, 'ends')
    writeFileSync(path, '\n'.repeat(700_000))
    const indexed = await indexLines(() => openFile(path))
    await indexed?.whole
    expect(indexed?.index.lines).toBe(700_000)
    expect((await readLines(() => openFile(path), 699_999, 5))?.lines).toEqual([
      { text: '', restBytes: 0 },
    ])
  })
})

describe('a search in a large log', () => {
  it('finds each line once, in any case, with its number and byte', async () => {
    const { lines, hits, end } = await search(file, 'needle')
    expect(lines).toEqual(linesWith('needle'))
    expect(end).toMatchObject({ partial: null, nextLine: null })
    const text = LINES.join('\n')
    for (const { offset } of [hits[0], hits[5000], hits.at(-1)].flatMap((hit) => hit ?? []))
      expect(text.slice(offset, offset + 6).toLowerCase()).toBe('needle')
  })

  it('stops at its limit, says so, and goes on from there', async () => {
    const all = linesWith('needle')
    const first = await search(file, 'needle', { limit: 5000 })
    expect(first.end?.partial).toBe('limit')
    const rest = await search(file, 'needle', { from: first.end?.nextLine ?? 0 })
    expect([...first.lines, ...rest.lines]).toEqual(all)
    expect((await search(file, 'needle', { from: 40_000 })).lines).toEqual(
      all.filter((line) => line >= 40_000),
    )
  })

  it('finds what stands across two steps', async () => {
    const path = join(dir, 'across')
    const before = 'x'.repeat(256 * 1024 - 3)
    writeFileSync(path, `${before}needle\n${before}needle`)
    expect((await search(path, 'NEEDLE')).lines).toEqual([1, 2])
  })

  it('finds the same as a plain search does, with either way of looking', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'B', 'b', 'z', '1', 'ü', '\0'),
      minLength: 1,
    })
    fc.assert(
      fc.property(letters, fc.array(letters), letters, (wanted, parts, other) => {
        const bytes = Buffer.from(parts.join(''))
        // With a sample of the same bytes every byte is frequent; with a sample of others each is rare.
        for (const sample of [Buffer.from(wanted + other), Buffer.alloc(4096, 0x7f)]) {
          const found = makeFinder(wanted, sample)(bytes, 0)
          const fold = (text: Buffer) =>
            text.toString('latin1').replace(/[A-Z]/g, (at) => at.toLowerCase())
          expect(found).toBe(fold(bytes).indexOf(fold(Buffer.from(wanted))))
        }
      }),
      { numRuns: 1000 },
    )
  })
})
