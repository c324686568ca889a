import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { BrowserConnection } from './browser-connection.ts'

const ANSWER_MS = 700
const LOOK_MS = 300
/** More of one core than this, and a page works instead of waiting. */
const BUSY_SHARE = 0.3

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
  const isAnswering = await connection
    .send('Runtime.evaluate', { expression: '1' }, session, ANSWER_MS)
    .then(
      () => true,
      () => false,
    )
  if (isAnswering) return false
  const before = await readTimes(connection)
  await sleep(LOOK_MS)
  const after = await readTimes(connection)
  const isBusy = [...after].some(
    ([id, seconds]) => seconds - (before.get(id) ?? 0) > (LOOK_MS / 1000) * BUSY_SHARE,
  )
  return isBusy ? null : true
}

async function readTimes(connection: BrowserConnection): Promise<Map<number, number>> {
  const { processInfo } = processesSchema.parse(await connection.send('SystemInfo.getProcessInfo'))
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  return new Map(renderers.map(({ id, cpuTime }) => [id, cpuTime]))
}
