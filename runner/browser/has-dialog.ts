import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { BrowserConnection } from './browser-connection.ts'

const SOON_MS = 500
const ANSWER_MS = 2500
/** Of processor time while nobody answered: more than this, and a page works (slowly, on a full machine) instead of waiting. */
const BUSY_SECONDS = 0.1

const processesSchema = z.object({
  processInfo: z.array(z.object({ type: z.string(), id: z.number(), cpuTime: z.number() })),
})

/**
 * Whether a page waits for an answer to a dialog. A dialog that is open already is told to no one who comes later, but a
 * page behind it runs no script at all: one that does not answer and does not work either has a dialog. Null = it does
 * not answer and works, so that nobody can tell.
 */
export async function hasDialog(
  connection: BrowserConnection,
  session: string,
): Promise<boolean | null> {
  const answer = connection.send('Runtime.evaluate', { expression: '1' }, session, ANSWER_MS).then(
    () => true,
    () => false,
  )
  if (await Promise.race([answer, sleep(SOON_MS, false)])) return false
  const before = await readTimes(connection)
  if (await answer) return false
  const after = await readTimes(connection)
  const isBusy = [...after].some(([id, seconds]) => seconds - (before.get(id) ?? 0) > BUSY_SECONDS)
  return isBusy ? null : true
}

async function readTimes(connection: BrowserConnection): Promise<Map<number, number>> {
  const { processInfo } = processesSchema.parse(await connection.send('SystemInfo.getProcessInfo'))
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  return new Map(renderers.map(({ id, cpuTime }) => [id, cpuTime]))
}
