import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  expectJudged,
  missingHere,
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
  const missing = missingHere(runner)
  if (missing !== null) process.stderr.write(`SKIPPED, reports of ${runner.name}: ${missing}\n`)
  describe.runIf(missing === null)(
    `a task that ${runner.name} judges`,
    { timeout: 120_000 },
    () => {
      it('is proven by what the runner really reports, and not solved by a work that ends it', () =>
        expectJudged(root, runner, settings))
    },
  )
}
