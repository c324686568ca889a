import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDatabase } from '#lib/db/database.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { defaultSuite, listSuiteSummaries, listVersions } from './suites.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-suites-'))

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await plantDemo(dir)
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

it('counts the ranked entries of a suite, and those under injected faults among them', async () => {
  const demo = (await listSuiteSummaries()).find(({ suiteId }) => suiteId === 'demo')
  expect(demo).toMatchObject({ rows: 12, ranked: 7, stress: 1, controls: 1 })
})

it('numbers the versions of a suite as its authors do', async () => {
  const [current, earlier] = await listVersions('demo')
  expect(current).toMatchObject({ isCurrent: true, version: '2.0.0' })
  expect(earlier).toMatchObject({ isCurrent: false, version: '1.0.0' })
})

it('shows the suite with most ranked entries first, not the one with most faults', async () => {
  const [first] = await listSuiteSummaries()
  if (!first) throw new Error('the demo has no suite')
  const of = (suiteId: string, ranked: number, stress: number, rows = ranked) => ({
    ...first,
    suiteId,
    ranked,
    stress,
    rows,
  })
  expect(defaultSuite([of('a', 5, 0), of('faults', 12, 7), of('b', 6, 0)])).toBe('b')
  expect(defaultSuite([of('a', 5, 0), of('b', 6, 1)])).toBe('b')
  expect(defaultSuite([of('empty', 0, 0), of('some', 0, 0, 2), of('more', 0, 0, 9)])).toBe('some')
  expect(defaultSuite([of('empty', 0, 0), of('other', 0, 0)])).toBe('empty')
  expect(defaultSuite([])).toBeNull()
})
