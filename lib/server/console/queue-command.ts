import { type Command, InvalidArgumentError } from 'commander'
import { CONSOLE_ACTOR } from '#lib/domain/accounts/index.ts'
import type { QueueView, RunningJob, WaitingJob } from '#lib/domain/api/index.ts'
import { formatQueueWait, MAX_PRIORITY } from '#lib/domain/runs/index.ts'
import { withServerDatabase } from '#lib/server/care/with-server-database.ts'
import { cancelJob, prioritizeJob, resumeJob } from '#lib/server/queue/change-job.ts'
import { getQueue } from '#lib/server/queue/get-queue.ts'
import { printJson, printText } from './output.ts'

type Json = { json?: boolean }

const asking = () => ({ actor: CONSOLE_ACTOR, now: new Date() })

/** `proofboard server queue …`: list, cancel, resume, priority. Write access to the data folder allows all of it. */
export function addQueueCommand(program: Command): void {
  const queue = program.command('queue').description('manage the job queue')
  queue
    .command('list')
    .description('list running, queued and recently finished jobs')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(list)
  queue
    .command('cancel')
    .description('cancel a job; finished episodes stay')
    .argument('<job or run>', 'job_… or run_…')
    .action((target: string) => change(() => cancelJob(target, asking())))
  queue
    .command('resume')
    .description('resume a cancelled or failed job with its unfinished episodes')
    .argument('<job or run>', 'job_… or run_…')
    .action((target: string) => change(() => resumeJob(target, asking())))
  queue
    .command('priority')
    .description('change the priority of a queued job; higher runs first')
    .argument('<job>', 'job_…')
    .argument('<priority>', 'a whole number, or front', readPriority)
    .action((target: string, wanted: number | 'front') =>
      change(() => prioritizeJob(target, wanted, asking())),
    )
}

async function change(work: () => Promise<string>): Promise<void> {
  printText(await withServerDatabase(work))
}

function readPriority(text: string): number | 'front' {
  if (text === 'front') return text
  const value = Number(text)
  if (/^-?\d+$/.test(text) && Math.abs(value) <= MAX_PRIORITY) return value
  const range = `from -${MAX_PRIORITY} to ${MAX_PRIORITY}`
  throw new InvalidArgumentError(`a priority is front, or a whole number ${range}.`)
}

async function list({ json }: Json): Promise<void> {
  const view = await withServerDatabase(() => getQueue(new Date()))
  if (json) printJson(view)
  else for (const line of lines(view)) printText(line)
}

function lines({ machine, providers, running, waiting, ended, workersAlive }: QueueView): string[] {
  const used = providers.map(
    ({ provider, used, limit }) => `${provider} ${used} of ${limit ?? '–'}`,
  )
  return [
    `slots: ${[`machine ${machine.used} of ${machine.limit}`, ...used].join(', ')}; workers alive: ${workersAlive}`,
    ...running.map(runningLine),
    ...waiting.map(waitingLine),
    ...ended.map(
      (job) => `${head(job)}  ${job.sealed} of ${job.planned} sealed${tail(job.reason)}`,
    ),
  ]
}

function runningLine(job: RunningJob): string {
  const beat = job.beatMs === null ? 'no heartbeat' : `heartbeat ${job.beatMs} ms ago`
  return `${head(job)}  ${job.sealed} of ${job.planned} sealed, ${beat}${tail(job.reason)}`
}

function waitingLine(job: WaitingJob): string {
  return `${head(job)}  priority ${job.priority}, ${job.isStopping ? 'stopping' : formatQueueWait(job.wait)}`
}

function head({ status, jobId, runId, suiteId, subjectLabel }: RunningJob | QueueView['ended'][0]) {
  return `${status.padEnd(9)} ${runId ?? jobId}  ${subjectLabel} on ${suiteId}`
}

function tail(reason: string | null): string {
  return reason === null ? '' : `  [${reason}]`
}
