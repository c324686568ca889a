import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import {
  expectJudged,
  missingHere,
  realSettings,
  SLOW_RUNNERS,
} from '#lib/testing/cases/real-runners.ts'
import { local } from '../sandbox/isolation/local.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-runners-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

// At `local`, as root, the commands have a user of their own, who passes through this folder.
chmodSync(root, 0o711)
const settings = realSettings(root, local)

for (const runner of SLOW_RUNNERS) {
  const missing = missingHere(runner)
  if (missing !== null) process.stderr.write(`SKIPPED, reports of ${runner.name}: ${missing}\n`)
  describe.runIf(missing === null)(
    `a task that ${runner.name} judges`,
    { timeout: 300_000 },
    () => {
      it('is proven by what the runner really reports, and not solved by a work that ends it', () =>
        expectJudged(root, runner, settings))
    },
  )
}
