import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { LineFile } from './commit-results.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-lines-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const texts = [
  '{}',
  JSON.stringify({ separators: '\u2028\u2029\u0085', emoji: '🦀'.repeat(200_000) }),
  JSON.stringify({ escaped: '\n\r\t' }),
  `"${'ü'.repeat(1_500_000)}"`,
  '',
  '"last"',
]

it.each([
  ['nothing', 0],
  ['the first lines', 500],
  ['everything', undefined],
])(
  'returns every line unchanged, however long and with any characters, with %s in memory',
  async (name, maxHeld) => {
    const file = join(dir, name)
    const lines = await LineFile.create(file, { maxHeld })
    for (const [at, text] of texts.entries()) await lines.add(`key_${at}`, text)
    await lines.flush()
    const read: { key: string; text: string }[] = []
    for await (const line of lines.read()) read.push(line)
    await lines.close()
    expect(read.map(({ key }) => key)).toEqual(texts.map((_, at) => `key_${at}`))
    expect(read.every(({ text }, at) => text === texts[at])).toBe(true)
    expect(statSync(file).size > 0).toBe(maxHeld !== undefined)
  },
)
