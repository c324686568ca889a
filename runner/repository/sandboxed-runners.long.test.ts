import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  expectJudged,
  needsOf,
  QUICK_RUNNERS,
  realSettings,
} from '#lib/testing/cases/real-runners.ts'
import { openJudging } from './open-judging.ts'
import type { BaseSettings } from './prepare-base.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-runners-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let settings: BaseSettings
beforeAll(async () => {
  settings = await realSettings(root, await openJudging(null))
})

for (const runner of QUICK_RUNNERS) {
  describe(`a task that ${runner.name} judges`, { tags: needsOf(runner), timeout: 120_000 }, () => {
    it('is proven by what the runner really reports, and not solved by a work that ends it', () =>
      expectJudged(root, runner, settings))
  })
}
