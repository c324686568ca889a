import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDatabase } from '#lib/db/database.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { listSuiteSummaries, listVersions } from './suites.ts'

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
