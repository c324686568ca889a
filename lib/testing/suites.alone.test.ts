import { expect, it } from 'vitest'
import { z } from 'zod'
import { findBrowser } from '../setup/ensure-browser.mjs'
import { runCommand } from '../setup/process.mjs'
import { lastJson } from './factories/proofboard-command.ts'

const proofSchema = z.object({ tasks: z.int().positive() })

it('every exercise is proven: its reference passes, nothing else does', () => prove('typescript'))

// For all wrong drivers: `npx proofboard suite verify browser`.
it('every browser workflow is proven, with one wrong driver each', { tags: 'chromium' }, () =>
  prove('browser', ['--wrong', '1'], { PROOFBOARD_CHROMIUM: findBrowser() ?? undefined }),
)

async function prove(
  suite: string,
  options: string[] = [],
  env: Record<string, string | undefined> = {},
): Promise<void> {
  const command = ['runner/cli/proofboard.mjs', 'suite', 'verify', suite, '--json', ...options]
  const { code, output } = await runCommand(process.execPath, command, { env })
  expect(code, output).toBe(0)
  const proof = lastJson(output)
  expect(proof).toMatchObject({
    referenceSolved: proofSchema.parse(proof).tasks,
    nopSolved: 0,
    firstTestOnlySolved: 0,
    wrongSolved: 0,
    deviations: [],
  })
}
