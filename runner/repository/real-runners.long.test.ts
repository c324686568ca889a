import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import {
  expectJudged,
  needsOf,
  realSettings,
  SLOW_RUNNERS,
} from '#lib/testing/cases/real-runners.ts'
import { local } from '../sandbox/isolation/local.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-runners-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

// At `local`, as root, the commands run as another user, who needs access to this folder.
chmodSync(root, 0o711)
const settings = realSettings(root, local)

for (const runner of SLOW_RUNNERS) {
  describe(`a task that ${runner.name} judges`, { tags: needsOf(runner), timeout: 300_000 }, () => {
    it('is proven by what the runner really reports, and not solved by a work that ends it', () =>
      expectJudged(root, runner, settings))
  })
}
