import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LibraryFact } from '#lib/domain/reports/index.ts'
import { getLibraryFacts } from './board.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-facts-'))
const own = join(dir, 'data/library-facts')
const shipped = join(dir, 'exercises/shop')

beforeAll(() => {
  process.env.PROOFBOARD_ROOT = dir
  process.env.PROOFBOARD_DATA_DIR = join(dir, 'data')
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  mkdirSync(own, { recursive: true })
  mkdirSync(shipped, { recursive: true })
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function document(name: string): string {
  const fact: LibraryFact = {
    name,
    version: '1.0.0',
    adapterLines: 10,
    driverLinesPerTask: null,
    tools: null,
    errors: null,
    authSetup: null,
    measuredAt: '2026-11-21T00:00:00.000Z',
    harness: { version: '0.1.0', commit: null, dirty: null },
  }
  return JSON.stringify({ schemaVersion: 1, libraries: [fact] })
}

const namesOf = async (suiteId: string) =>
  (await getLibraryFacts(suiteId))?.libraries.map(({ name }) => name) ?? null

it('prefers what was measured here to what came with the suite, and takes no broken file', async () => {
  expect(await namesOf('shop')).toBeNull()
  writeFileSync(join(shipped, 'library-facts.json'), document('shipped'))
  expect(await namesOf('shop')).toEqual(['shipped'])
  writeFileSync(join(own, 'shop.json'), document('own'))
  expect(await namesOf('shop')).toEqual(['own'])
  for (const broken of ['{', '{"schemaVersion":1}', '[]']) {
    writeFileSync(join(own, 'shop.json'), broken)
    expect(await namesOf('shop')).toEqual(['shipped'])
  }
})

it('reads no other folder, whatever the suite is called', async () => {
  writeFileSync(join(dir, 'data/secret.json'), document('secret'))
  for (const suiteId of ['../secret', '..', '/etc/passwd', 'a/b', '']) {
    expect(await namesOf(suiteId)).toBeNull()
  }
})
