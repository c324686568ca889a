import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Environment,
  type Episode,
  expandPlan,
  type Plan,
  type RunEvent,
  type Shard,
  type Slot,
} from '#lib/domain/record/index.ts'
import { placeError } from '../runner-error.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { runMark, startGuard } from '../sandbox/process/start-guard.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import { workThrough } from '../work-through.ts'
import type { Clock } from './clock.ts'
import { clearOutside, closeInterrupted, forgetOutside, noteOutside } from './close-interrupted.ts'
import { ENVELOPE_FILE, readSealed } from './envelopes.ts'
import type { EnvironmentAdapter } from './environment-adapter.ts'
import { makeFolder, removeTree, writeAtomic } from './files.ts'
import { Journal, noteRunner } from './journal.ts'
import { runEpisode } from './run-episode.ts'
import { closeRunFolder, lockRunFolder, RunFolder, writePlan, writeResult } from './run-folder.ts'
import { Pace, SlotLedger } from './slots.ts'
import type { RunSpending, SpendReport } from './spending.ts'
import { describeSpending } from './spending.ts'

export type RunRequest = {
  runId: string
  plan: Plan
  shard: Shard
  concurrency: number
  out: string
  tasks: readonly LoadedTask[]
  /** The parent process has the other end of stdin, and the run ends with it. */
  isSupervised?: boolean
  /** Work in folders that are named by plan and slot, instead of new names each time. */
  fixedFolders?: boolean
}

export type RunDependencies = {
  adapter: EnvironmentAdapter
  clock: Clock
  environment: Environment
  isolation: Isolation
  /** Null or absent = no cap on what the run may cost. */
  spending?: RunSpending | null
  signal: AbortSignal
  emit: (event: RunEvent) => void
  /** Tells boards of the run before its first attempt; `to` = one of them elsewhere. Absent = none is told. */
  registration?: { to: string | null; register: () => Promise<void> }
}

/** The state of the planned slots at the end; `episodes` are the attempts that count, one a slot. */
export type RunReport = {
  planned: number
  episodes: Episode[]
  /** Every sealed attempt, also those that were tried again. */
  attempts: Episode[]
  durationMs: number
  resultPath: string
  stopped: boolean
  /** Null = no cap was set. */
  spend: SpendReport | null
}

type Run = RunRequest & {
  deps: RunDependencies
  folder: RunFolder
  journal: Journal
  slots: SlotLedger
  temporary: string
  runMark: string
  pace: Pace
}

/**
 * Executes a plan, or what is still missing of it: sealed slots are stored, interrupted attempts are closed as void,
 * void ones tried again within the plan's limit. Stops early at `signal`; calling it again continues from there.
 */
export async function runPlan(request: RunRequest, deps: RunDependencies): Promise<RunReport> {
  const start = deps.clock.monotonicMs()
  const folder = new RunFolder(request.out)
  await makeFolder(folder.episodesPath)
  await closeRunFolder(folder)
  const release = await lockRunFolder(folder.holderPath)
  let endNotes = () => {}
  try {
    await writePlan(folder, request.plan)
    await writeAtomic(folder.lockPath, `${JSON.stringify(deps.environment, null, 2)}\n`)
    await clearOutside(folder)
    const journal = new Journal(folder.journalPath)
    await closeInterrupted({ ...request, ...deps, folder, journal })
    endNotes = noteRunner(journal, request, deps)
    await register(journal, deps)
    await deps.isolation.sweep()
    const sealed = readSealed(folder)
    for (const episode of sealed) deps.spending?.add(episode)
    const slots = new SlotLedger(sealed, request.plan.settings.maxAttempts)
    const wanted = expandPlan(request.plan, request.shard)
    const open = wanted.filter((slot) => !slots.isSettled(slot))
    deps.emit({
      event: 'run-started',
      at: deps.clock.now(),
      runId: request.runId,
      planned: wanted.length,
      alreadySealed: wanted.length - open.length,
    })
    if (open.length > 0 && maySpend(deps))
      await executeSlots(open, { ...request, deps, folder, journal, slots })
    const episodes = wanted.flatMap((slot) => slots.last(slot) ?? [])
    await writeResult(folder, { ...request, lock: deps.environment, episodes: slots.all() })
    const stopped = deps.signal.aborted
    const missing = wanted.filter((slot) => !slots.isSettled(slot)).length
    const spend = deps.spending?.report() ?? null
    if (!stopped && missing > 0 && spend?.closed) emitSpent(deps, spend, missing)
    emitEnd(deps, episodes, stopped, folder)
    return {
      planned: wanted.length,
      episodes,
      attempts: slots.all(),
      durationMs: Math.round(deps.clock.monotonicMs() - start),
      resultPath: folder.resultPath,
      stopped,
      spend,
    }
  } finally {
    endNotes()
    await release()
  }
}

/** Noted first: from then on the run is owed there, and whoever is killed has to find it here. */
async function register(journal: Journal, { registration, clock }: RunDependencies): Promise<void> {
  if (!registration) return
  const { to } = registration
  if (to !== null) journal.append({ at: clock.now(), event: 'registering', to })
  await registration.register()
}

/** Settles the open slots, `concurrency` at a time, inside a temporary folder that a guard removes even after kill -9. */
async function executeSlots(
  open: readonly Slot[],
  run: Omit<Run, 'temporary' | 'runMark' | 'pace'>,
): Promise<void> {
  const temporary = await makeTemporary(run)
  const lastWords = run.deps.isolation.lastWords(runMark(run.runId))
  const guard = startGuard(run.runId, temporary, lastWords)
  const pace = new Pace(run.concurrency)
  const settle = (slot: Slot, mayGoOn: () => boolean) =>
    settleSlot(slot, { ...run, temporary, runMark: guard.mark, pace }, mayGoOn)
  const { adapter } = run.deps
  try {
    await adapter.open({ temporary, runMark: guard.mark })
    await workThrough(open, run.concurrency, settle, () => mayStart(run.deps))
  } finally {
    await adapter.close()
    await removeTree(temporary)
    await guard.release()
    await forgetOutside(run.folder)
  }
}

/** A folder for this run alone, recorded; under a fixed name only one run of the plan can be active. */
async function makeTemporary(
  run: Pick<Run, 'fixedFolders' | 'plan' | 'runId' | 'folder'>,
): Promise<string> {
  const note = (temporary: string) =>
    noteOutside(run.folder, { mark: runMark(run.runId), temporary })
  if (run.fixedFolders) {
    const fixed = await makeFixed(run)
    await note(fixed)
    return fixed
  }
  // The path of a user's folder on macOS leaves no room for the sockets of libraries.
  const root = process.platform === 'darwin' ? '/tmp' : tmpdir()
  const temporary = join(root, `proofboard-${randomBytes(6).toString('hex')}`)
  await note(temporary)
  await mkdir(temporary, { mode: 0o700 })
  return temporary
}

async function makeFixed({ plan }: Pick<Run, 'plan'>): Promise<string> {
  const folder = join('/tmp', `proofboard-${plan.planDigest.slice('sha256:'.length).slice(0, 16)}`)
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw placeError(
      `another recorded or replayed run of this plan works in ${folder}: wait for it, and if there is none, remove that folder`,
    )
  })
  return folder
}

async function settleSlot(slot: Slot, run: Run, mayGoOn: () => boolean): Promise<void> {
  while (!run.slots.isSettled(slot) && mayGoOn()) {
    const previous = run.slots.last(slot)
    // Checked again at its start: other attempts may have spent the rest while it waited.
    const attempt = async () => (maySpend(run.deps) ? attemptSlot(slot, previous, run) : null)
    const episode = await run.pace.run(attempt, run.deps.signal)
    if (episode === null) return
    run.slots.add(episode)
    run.deps.spending?.add(episode)
  }
}

function mayStart(deps: RunDependencies): boolean {
  return !deps.signal.aborted && maySpend(deps)
}

function maySpend({ spending }: RunDependencies): boolean {
  return !spending?.report().closed
}

async function attemptSlot(slot: Slot, previous: Episode | null, run: Run): Promise<Episode> {
  const { deps, folder, journal, runId, plan, temporary, runMark } = run
  const task = run.tasks.find((one) => one.task.taskId === slot.taskId)
  if (!task) throw new Error(`task ${slot.taskId} is planned but not loaded`)
  const attempt = (previous?.attempt ?? 0) + 1
  const { taskId, repetition } = slot
  const path = folder.attemptPath(taskId, repetition, attempt)
  const named = { taskId, repetition, attempt }
  journal.append({ at: deps.clock.now(), event: 'attempt-started', ...named })
  deps.emit({ event: 'attempt-started', at: deps.clock.now(), ...named, path })
  const previousAttempt = previous && {
    episodeId: previous.episodeId,
    reason: `it ended as ${previous.outcome.status}`,
  }
  const onPhase = (phase: string) => {
    journal.append({ at: deps.clock.now(), event: 'phase-started', phase, ...named })
    deps.emit({ event: 'phase-started', at: deps.clock.now(), ...named, phase })
  }
  const episode = await runEpisode(
    {
      runId,
      plan,
      slot,
      attempt,
      previousAttempt,
      task,
      attemptFolder: join(folder.path, path),
      temporaryFolder: temporary,
      folderName: run.fixedFolders ? `${taskId}-${repetition}` : null,
      runMark,
    },
    { ...deps, onPhase },
  )
  journal.append({ at: deps.clock.now(), event: 'attempt-sealed', ...named })
  deps.emit({
    event: 'episode-sealed',
    at: deps.clock.now(),
    ...named,
    episodeId: episode.episodeId,
    status: episode.outcome.status,
    path: join(path, ENVELOPE_FILE),
    failureCategory: episode.failureCategory,
    totalMs: episode.effort.wall.totalMs,
  })
  return episode
}

function emitSpent(deps: RunDependencies, spend: SpendReport, missing: number): void {
  const { capMicroUsd, spentMicroUsd, unknownAttempts } = spend
  const cap = { capMicroUsd, spentMicroUsd, unknownAttempts }
  const reason = describeSpending(spend, missing)
  deps.emit({
    event: 'spend-cap-reached',
    at: deps.clock.now(),
    ...cap,
    missing,
    reason,
  })
}

function emitEnd(
  deps: RunDependencies,
  episodes: readonly Episode[],
  stopped: boolean,
  folder: RunFolder,
): void {
  const at = deps.clock.now()
  if (stopped)
    deps.emit({
      event: 'run-stopped',
      at,
      reason: String(deps.signal.reason ?? 'stopped'),
    })
  else {
    const voids = episodes.filter((episode) => episode.outcome.status === 'void').length
    deps.emit({
      event: 'run-ended',
      at,
      sealed: episodes.length,
      void: voids,
      resultPath: folder.resultPath,
    })
  }
}
