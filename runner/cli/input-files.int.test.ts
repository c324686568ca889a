import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readJson, readLooseJson } from '../suites/read-json.ts'
import { readJsonFile } from './input-files.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-input-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reads JSON that begins with a byte order mark', () => {
  const text = '\uFEFF{ "a": 1 }\n'
  const path = join(folder, 'marked.json')
  writeFileSync(path, text)
  const value = { a: 1 }
  expect(readJsonFile(path)).toEqual(value)
  expect(readJson(path)).toEqual({ value, error: null })
  expect(readLooseJson(text)).toEqual(value)
})
