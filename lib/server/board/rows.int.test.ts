import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SHIPPED_CUTOFFS } from '#lib/domain/board/index.ts'
import { findCutoff } from '#lib/domain/board/task-exposure.ts'
import { listCutoffs } from './rows.ts'

let dir: string
let file: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  mkdirSync(dir, { recursive: true })
  file = join(dir, 'model-cutoffs.json')
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

it('knows what is shipped, and puts what the data folder says before it', async () => {
  expect(await listCutoffs()).toEqual(SHIPPED_CUTOFFS)
  const [shipped] = SHIPPED_CUTOFFS
  const model = shipped?.models[0] ?? ''
  const own = { models: [model, 'my-model'], date: '2026-10', kind: 'training', source: 'us' }
  writeFileSync(file, JSON.stringify({ schemaVersion: 1, cutoffs: [own] }))
  const cutoffs = await listCutoffs()
  expect(findCutoff(model, cutoffs)?.date).toBe('2026-10')
  expect(findCutoff('my-model', cutoffs)?.source).toBe('us')
})

it('takes no part of a file with a mistake in it', async () => {
  const entry = { models: ['m'], date: '2026', kind: 'training', source: 'us' }
  for (const text of ['{', '[]', JSON.stringify({ schemaVersion: 1, cutoffs: [entry] })]) {
    writeFileSync(file, text)
    expect(await listCutoffs()).toEqual(SHIPPED_CUTOFFS)
  }
})
