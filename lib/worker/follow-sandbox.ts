import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { createLog } from '../log.ts'
import { queryRunner } from '../processes/spawn-runner.ts'
import { saveSandboxFix } from '../server/board/sandbox-fix.ts'
import type { WorkerContext } from './worker-context.ts'

const log = createLog('isolation')
const CHECK = 'default isolation'
/** It may be installed while the server runs. */
const LOOK_AGAIN_MS = 10 * 60_000

const answerSchema = z.object({
  findings: z.tuple([
    z.object({ status: z.enum(['ok', 'warn', 'fail']), fix: z.string().optional() }),
  ]),
})

/**
 * Reports in the log and on the home page that agents run without a sandbox on this machine, and how to fix it. Repeats
 * until they have one or `signal` fires.
 */
export async function followSandbox({ signal }: Pick<WorkerContext, 'signal'>): Promise<void> {
  let isReported = false
  while (!signal.aborted) {
    const { output } = await queryRunner(['doctor', '--only', CHECK, '--json'], signal)
    const parsed = answerSchema.safeParse(output)
    if (signal.aborted || !parsed.success) return
    const [{ status, fix = null }] = parsed.data.findings
    saveSandboxFix(status === 'ok' ? null : { command: fix })
    if (status === 'ok') return
    if (!isReported) log.warn(describe(fix))
    isReported = true
    await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
  }
}

function describe(fix: string | null): string {
  const effect =
    'agents run without a sandbox on this machine, so their entries are not ranked. To fix it: '
  return `${effect}${fix ?? 'see `npx proofboard doctor`'}`
}
