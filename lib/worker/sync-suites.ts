import { z } from 'zod'
import type { Db } from '#lib/db/database.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { suiteSchema } from '#lib/domain/tasks/index.ts'
import { createLog } from '#lib/log.ts'
import { queryRunner } from '../processes/spawn-runner.ts'

const listSchema = z.object({
  suites: z.array(
    z.object({ suiteId: z.string(), suite: z.unknown(), problem: z.string().optional() }),
  ),
})
const showSchema = z.object({ suite: suiteSchema })
const log = createLog('suites')

/** Saves the runner's current version of every suite. A suite that cannot be read keeps its earlier state. */
export async function syncSuites(db: Db, signal: AbortSignal): Promise<void> {
  const { ending, output } = await queryRunner(['suite', 'list', '--whole', '--json'], signal)
  if (signal.aborted) return
  const list = listSchema.safeParse(output)
  if (!list.success) {
    log.error('the runner does not list its suites', { reason: ending.lastMessage })
    return
  }
  for (const { suiteId, suite, problem = '' } of list.data.suites)
    await takeOver(db, suiteId, { suite }, problem)
}

/** Imports the current state of a suite from disk. */
export async function syncSuite(db: Db, suiteId: string, signal: AbortSignal): Promise<void> {
  const { ending, output } = await queryRunner(['suite', 'show', suiteId, '--json'], signal)
  await takeOver(db, suiteId, output, ending.lastMessage)
}

/** `reason` = the runner's message when it could not read the suite. */
async function takeOver(db: Db, suiteId: string, output: unknown, reason: string): Promise<void> {
  const shown = showSchema.safeParse(output)
  if (!shown.success) {
    const problem = shown.error.issues[0]
    log.error('a suite cannot be read: its earlier state stays', { suiteId, reason, problem })
    return
  }
  const { suite } = shown.data
  await saveSuite(db, suite, new Date())
  log.info('suite synced', { suiteId, digest: suite.digest, tasks: suite.tasks.length })
}
