import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { canonicalJson } from '#lib/domain/digest/index.ts'
import { RUN_TOKEN_VARIABLE, type ShardReply } from '#lib/domain/executors/index.ts'
import {
  type Episode,
  environmentSchema,
  expandPlan,
  type Plan,
  type RunEvent,
  slotKey,
} from '#lib/domain/record/index.ts'
import { parseJson, plainText } from '#lib/domain/text/index.ts'
import { ENVELOPE_FILE, readSealed } from '../engine/envelopes.ts'
import { makeFolder, writeAtomic } from '../engine/files.ts'
import { existingRun, RunFolder, refuseUnowned } from '../engine/run-folder.ts'
import { isRunnerError, usageError } from '../runner-error.ts'
import { closeInherited } from '../sandbox/process/close-inherited.ts'
import { concealKeys, RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { inScratch } from '../scratch.ts'
import { BoardLink } from '../submit/board-link.ts'
import { countOption, runIdOption } from './options.ts'
import { commandSignal, tellWait, writeError } from './output.ts'
import { runOne } from './run-command.ts'

type Options = { server: string; runId: string; shard?: number; out: string; insecure?: boolean }

const HELP = `
The engine sets the token of the run in ${RUN_TOKEN_VARIABLE}; a workflow of GitHub authenticates by its identity token instead.

Exit codes: 0 = the shard is done, by this or an earlier attempt; 1 = failed, retry; 2 = failed, a retry would not help.`

/** `proofboard work`: runs one shard of a run that a board launched on an engine, as its job. */
export function addWorkCommand(program: Command): void {
  program
    .command('work')
    .description(
      'run one shard of a run for a board elsewhere; started by kubernetes, slurm or github',
    )
    .requiredOption('--server <url>', 'the board, for example https://board.example')
    .requiredOption('--run-id <id>', 'the run', runIdOption)
    .option(
      '--shard <n>',
      'number of the shard (default: the index that the engine gives)',
      countOption('--shard', 10_000),
    )
    .requiredOption('--out <dir>', 'output folder; continues an unfinished shard')
    .option('--insecure', 'allow sending the token over plain http to another machine')
    .addHelpText('after', HELP)
    .action(execute)
}

async function execute(options: Options): Promise<void> {
  closeInherited()
  process.umask(0o077)
  // The subject must not find the token in the environment, nor the means to get one.
  concealKeys([
    RUN_TOKEN_VARIABLE,
    'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    'ACTIONS_ID_TOKEN_REQUEST_URL',
  ])
  const signal = commandSignal({ stopWithStdin: false })
  const shard = options.shard ?? shardOfEngine()
  return inScratch('proofboard-work', async (scratch) => {
    const { server, runId, insecure = false } = options
    const link = new BoardLink({ server, runId, insecure, scratch }, tellWait)
    const host = (RUNNER_ENV.PROOFBOARD_HOST ?? hostname()).slice(0, 253) || 'unknown'
    const { summary, work } = await link.report({ event: 'started', shard, host }, INSISTENT)
    writeError(plainText(summary))
    if (work) process.exitCode = await workOn({ ...options, work, shard, link, scratch }, signal)
  })
}

/** Index of this shard: Kubernetes counts from 0, our Slurm arrays from 1. */
function shardOfEngine(): number {
  const { JOB_COMPLETION_INDEX: index, SLURM_ARRAY_TASK_ID: task } = RUNNER_ENV
  if (index !== undefined && /^\d{1,4}$/.test(index)) return Number(index) + 1
  if (task !== undefined && /^[1-9]\d{0,3}$/.test(task)) return Number(task)
  throw usageError(
    'no shard specified: use --shard, or let an Indexed Job or an array job start this',
    '--shard',
  )
}

/** Attempts, enough for a board to restart. */
const INSISTENT = 12

type Work = NonNullable<ShardReply['work']>
type Job = Options & { work: Work; shard: number; link: BoardLink; scratch: string }

async function workOn(job: Job, stop: AbortSignal): Promise<number> {
  const { work, shard, link, runId, scratch } = job
  const folder = new RunFolder(resolve(job.out))
  const progress = new ShardProgress(job, folder)
  const part = { index: shard, count: work.shards }
  const plan = join(scratch, 'plan.json')
  try {
    writeFileSync(plan, `${canonicalJson(work.plan)}\n`)
    await ownFolder(folder, work.plan)
    progress.knowStored(work.hasEpisodes ? await takeUp(job, folder) : [])
    const signal = AbortSignal.any([stop, progress.stopped])
    progress.begin()
    await runOne(
      {
        plan,
        shard: part,
        out: folder.path,
        runId,
        concurrency: work.concurrency,
        ...(work.registration !== undefined && { registration: [work.registration] }),
        ...(work.spendCapMicroUsd !== null && { spendCap: work.spendCapMicroUsd }),
        listen: (event) => progress.onEvent(event),
      },
      signal,
    )
    await progress.end()
    if (progress.stopped.aborted) return 0
    if (stop.aborted) throw new Error(`it was stopped (${String(stop.reason)})`)
    const { leftOut } = progress
    const done = { event: 'done', shard, try: work.try, leftOut } as const
    writeError(plainText((await link.report(done, INSISTENT)).summary))
    return 0
  } catch (error) {
    await progress.end().catch(() => {})
    const reason = plainText((error as Error).message).slice(0, 500) || 'it failed without a reason'
    writeError(reason)
    const failed = { event: 'failed', shard, try: work.try, reason } as const
    await link.report(failed, FEW).catch(() => {})
    return isRunnerError(error) ? error.exitCode : 1
  }
}

const FEW = 3

/** Claims the folder before the run starts: a run writes only into a folder that its plan marks as a run's. */
async function ownFolder(folder: RunFolder, plan: Plan): Promise<void> {
  if (existingRun(folder.path)) return
  await makeFolder(refuseUnowned(folder.path))
  await writeAtomic(folder.planPath, `${canonicalJson(plan)}\n`)
}

/** Copies the stored and started attempts of earlier tries into this folder, so that the run continues from there. */
async function takeUp({ work, shard, link }: Job, folder: RunFolder): Promise<Episode[]> {
  const own = new Set(expandPlan(work.plan, { index: shard, count: work.shards }).map(slotKey))
  const stored = (await link.storedEpisodes()).filter((episode) => own.has(slotKey(episode)))
  await makeFolder(folder.episodesPath)
  for (const episode of stored) {
    const { taskId, repetition, attempt } = episode
    const place = join(folder.path, folder.attemptPath(taskId, repetition, attempt))
    if (existsSync(join(place, ENVELOPE_FILE))) continue
    await makeFolder(place)
    await writeAtomic(join(place, ENVELOPE_FILE), `${JSON.stringify(episode, null, 2)}\n`)
  }
  return stored
}

const REPORT_MS = 3000
const IDENTITY_REPORT_MS = 8000
const BEAT_MS = 15_000
const SEND_MS = 20_000
const SEND_COUNT = 25

/** Sends sealed episodes and reports the shard's progress during the run, one request at a time. */
class ShardProgress {
  readonly #job: Job
  readonly #folder: RunFolder
  readonly #stop = new AbortController()
  readonly #stored = new Set<string>()
  #isDirty = true
  #reportedAt = 0
  #sentAt = performance.now()
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #isWorking = false
  leftOut: string | null = null

  constructor(job: Job, folder: RunFolder) {
    this.#job = job
    this.#folder = folder
  }

  /** Fires when the board needs nothing more. */
  get stopped(): AbortSignal {
    return this.#stop.signal
  }

  knowStored(episodes: readonly Episode[]): void {
    for (const episode of episodes) this.#stored.add(attemptKey(episode))
    this.#layJournal()
  }

  begin(): void {
    this.#timer = setInterval(() => this.#tick(), 500)
  }

  onEvent(event: RunEvent): void {
    this.#isDirty = true
    if (event.event === 'spend-cap-reached' || event.event === 'run-given-up')
      this.leftOut = event.reason.slice(0, 500)
  }

  /** Resolves when every sealed episode is stored. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#working
    const unsent = this.#listUnsent()
    if (unsent.length > 0) await this.#send(unsent, INSISTENT)
    await this.#report(FEW).catch(() => {})
  }

  #tick(): void {
    if (this.#isWorking) return
    const since = performance.now() - this.#reportedAt
    const soon = this.#job.link.asksIdentity ? IDENTITY_REPORT_MS : REPORT_MS
    if (since < (this.#isDirty ? soon : BEAT_MS)) return
    this.#isWorking = true
    this.#working = this.#talk()
      .catch((error: Error) => writeError(`not reported yet: ${plainText(error.message)}`))
      .finally(() => {
        this.#isWorking = false
      })
  }

  async #talk(): Promise<void> {
    this.#isDirty = false
    this.#reportedAt = performance.now()
    const unsent = this.#listUnsent()
    const isDue = performance.now() - this.#sentAt > SEND_MS || unsent.length >= SEND_COUNT
    if (unsent.length > 0 && isDue) await this.#send(unsent, 1)
    await this.#report(1)
  }

  async #report(max: number): Promise<void> {
    const { link, shard, work } = this.#job
    const sealed = new Set(readSealed(this.#folder).map(slotKey)).size
    const journal = this.#openJournal()
    const data = journal && { journal }
    const report = { event: 'running', shard, try: work.try, sealed, ...data } as const
    const { state, summary } = await link.report(report, max)
    if (state === 'go') return
    writeError(plainText(summary))
    this.#stop.abort(summary)
  }

  #listUnsent(): Episode[] {
    return readSealed(this.#folder).filter((episode) => !this.#stored.has(attemptKey(episode)))
  }

  async #send(episodes: readonly Episode[], max: number): Promise<void> {
    const { link, work, shard } = this.#job
    const lock = environmentSchema.parse(parseJson(readFileSync(this.#folder.lockPath, 'utf8')))
    for (let at = 0; at < episodes.length; at += SEND_COUNT) {
      const some = episodes.slice(at, at + SEND_COUNT)
      const head = { plan: work.plan, lock, shard: { index: shard, count: work.shards } }
      await link.send({ from: this.#folder, ...head, episodes: some }, work.try, max)
      for (const episode of some) this.#stored.add(attemptKey(episode))
    }
    this.#sentAt = performance.now()
  }

  /** Only the board knows what an attempt on another machine started; one in this folder left its own journal. */
  #layJournal(): void {
    const { journal } = this.#job.work
    if (journal.length === 0 || existsSync(this.#folder.journalPath)) return
    writeFileSync(this.#folder.journalPath, journal.map((line) => `${line}\n`).join(''))
  }

  /** Journal lines about attempts that the board does not have, and about the runners that began them. */
  #openJournal(): string[] | undefined {
    // Nothing was started here, so the board's record of an earlier attempt stays.
    if (!existsSync(this.#folder.journalPath)) return undefined
    const lines = readFileSync(this.#folder.journalPath, 'utf8').split('\n').filter(Boolean)
    const open = lines.filter((line) => {
      const data = parseJson(line) as Partial<Attempt> | undefined
      if (data?.taskId === undefined) return true
      return !this.#stored.has(attemptKey(data as Attempt))
    })
    return open.some((line) => line.includes('"taskId"')) ? open.slice(-MAX_LINES) : []
  }
}

const MAX_LINES = 1000

type Attempt = { taskId: string; repetition: number; attempt: number }

function attemptKey({ taskId, repetition, attempt }: Attempt): string {
  return `${taskId}/${repetition}/${attempt}`
}
