import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { relativePathSchema } from '#lib/domain/names.ts'
import { type RunEvent, runEventSchema } from '#lib/domain/run-event.ts'
import { createLog } from '#lib/log.ts'
import { keepEnvelope } from './keep-episodes.ts'
import { RunFailure } from './run-failure.ts'
import { spawnRunner } from './spawn-runner.ts'
import type { WorkerContext } from './worker-context.ts'

export type RunOrder = {
  runId: string
  folder: string
  concurrency: number
  /** An episode was new and is kept. */
  onKept: () => Promise<void>
}

const log = createLog('runner')

/** Runs a frozen plan, or what is missing of it, and keeps each episode the moment it is sealed. Throws RunFailure. */
export async function runJob(order: RunOrder, context: WorkerContext): Promise<void> {
  const { runId, folder, concurrency } = order
  const journal = createWriteStream(join(folder, 'runner.log'), { flags: 'a' })
  journal.on('error', (error) => log.warn("the runner's log is not kept", { runId, error }))
  let hasEnded = false
  let keeping: Promise<void> = Promise.resolve()
  const onStdout = (line: string) => {
    journal.write(`${line}\n`)
    const event = readEvent(line, runId)
    if (event?.event === 'run-ended') hasEnded = true
    if (event?.event === 'episode-sealed')
      keeping = keeping.then(() => keep(event.path, order, context))
  }
  const onStderr = (line: string) => journal.write(`${line}\n`)
  const args = ['run', '--plan', join(folder, 'plan.json'), '--run-id', runId, '--out', folder]
  const flags = ['--concurrency', String(concurrency), '--events', '--stop-with-stdin']
  try {
    const ending = await spawnRunner([...args, ...flags], { onStdout, onStderr }, context.signal)
    await keeping
    // 0 = all sealed, 1 = some are void; 1 without a word about the end is trouble of the place.
    const isDone = hasEnded && (ending.exitCode === 0 || ending.exitCode === 1)
    if (!isDone) throw new RunFailure(ending)
  } finally {
    journal.end()
  }
}

/** A failure here loses nothing: the file stays, and the folder is looked through when the runner has ended. */
async function keep(
  path: string,
  { folder, runId, onKept }: RunOrder,
  { db }: WorkerContext,
): Promise<void> {
  try {
    const file = join(folder, relativePathSchema.parse(path))
    if ((await keepEnvelope(db, file)) === 'saved') await onKept()
  } catch (error) {
    log.warn('a sealed episode was not kept at once', { runId, path, error })
  }
}

function readEvent(line: string, runId: string): RunEvent | null {
  if (!line.trim()) return null
  try {
    return runEventSchema.parse(JSON.parse(line))
  } catch {
    log.warn('the runner said what is no event', { runId, line: line.slice(0, 300) })
    return null
  }
}
