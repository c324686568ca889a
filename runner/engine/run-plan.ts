import { join } from 'node:path'
import type { StopDecision } from '#lib/domain/board/index.ts'
import type { Digest } from '#lib/domain/digest/index.ts'
import {
  type Environment,
  type Episode,
  expandPlan,
  outcomeReason,
  type Plan,
  type RunEvent,
  type Shard,
  type Slot,
} from '#lib/domain/record/index.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { runMark, startGuard } from '../sandbox/process/start-guard.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import { workThrough } from '../work-through.ts'
import type { Clock } from './clock.ts'
import { clearOutside, closeInterrupted, forgetOutside } from './close-interrupted.ts'
import { emitEnding } from './emit-ending.ts'
import { ENVELOPE_FILE, readSealed } from './envelopes.ts'
import type { EnvironmentAdapter } from './environment-adapter.ts'
import { makeFolder, removeTree, writeAtomic } from './files.ts'
import { Journal, noteRunner } from './journal.ts'
import { Pace } from './pace.ts'
import { runEpisode } from './run-episode.ts'
import { closeRunFolder, lockRunFolder, RunFolder, writePlan, writeResult } from './run-folder.ts'
import { SlotLedger, WorkWatch } from './slots.ts'
import type { RunSpending, SpendReport } from './spending.ts'
import { StopWatch } from './stop-watch.ts'
import { makeTemporary } from './temporary-folder.ts'

export type RunRequest = {
  runId: string
  plan: Plan
  shard: Shard
  /** Only so many first slots: a look at one side of a pair. */
  upTo?: number
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
  /**
   * Registers the run at boards before its first attempt, and returns the hashes of their ledger entries; `to` = one of them
   * elsewhere. Absent = no registration.
   */
  registration?: { to: string | null; register: () => Promise<Digest[]> }
}

/** The state of the planned slots at the end; `episodes` are the attempts that count, one a slot. */
export type RunReport = {
  planned: number
  /** The decision by which the plan stopped; null = it has none, or has not stopped. */
  decided: StopDecision | null
  episodes: Episode[]
  /** Every sealed attempt, also those that were tried again. */
  attempts: Episode[]
  durationMs: number
  resultPath: string
  stopped: boolean
  /** Null = no cap was set. */
  spend: SpendReport | null
  /** Why the run stopped before its plan was done, and what to change; null = it did not. */
  gaveUp: string | null
}

type Run = RunRequest & {
  deps: RunDependencies
  folder: RunFolder
  journal: Journal
  slots: SlotLedger
  stop: StopWatch
  work: WorkWatch
  temporary: string
  runMark: string
  pace: Pace
  registrations: Digest[]
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
    const registrations = await register(journal, deps)
    await deps.isolation.sweep()
    const sealed = readSealed(folder)
    for (const episode of sealed) deps.spending?.add(episode)
    const slots = new SlotLedger(sealed, request.plan.settings.maxAttempts)
    const wanted = expandPlan(request.plan, request.shard)
    const stop = new StopWatch(request.plan, slots)
    const open = wanted.slice(0, request.upTo).filter((slot) => !slots.isSettled(slot))
    deps.emit({
      event: 'run-started',
      at: deps.clock.now(),
      runId: request.runId,
      planned: wanted.length,
      alreadySealed: wanted.slice(0, request.upTo).length - open.length,
    })
    const work = new WorkWatch()
    const parts = { deps, folder, journal, slots, work, registrations }
    if (open.length > 0 && stop.decision === null && maySpend(deps))
      await executeSlots(open, { ...request, ...parts, stop })
    const episodes = wanted.flatMap((slot) => slots.last(slot) ?? [])
    await writeResult(folder, { ...request, lock: deps.environment, episodes: slots.all() })
    const stopped = deps.signal.aborted
    const decided = stop.decision
    const missing = wanted.filter(
      (slot) => !stop.isAfter(slot, decided) && !slots.isSettled(slot),
    ).length
    const spend = deps.spending?.report() ?? null
    const gaveUp = missing > 0 ? work.reason : null
    emitEnding(deps, { folder, episodes, stopped, missing, spend, gaveUp, decided })
    return {
      planned: wanted.length,
      decided,
      episodes,
      attempts: slots.all(),
      durationMs: Math.round(deps.clock.monotonicMs() - start),
      resultPath: folder.resultPath,
      stopped,
      spend,
      gaveUp,
    }
  } finally {
    endNotes()
    await release()
  }
}

/** Recorded before the request, so that a killed process finds the run again. */
async function register(
  journal: Journal,
  { registration, clock }: RunDependencies,
): Promise<Digest[]> {
  if (!registration) return []
  const { to } = registration
  if (to !== null) journal.append({ at: clock.now(), event: 'registering', to })
  return registration.register()
}

/** Settles the open slots, `concurrency` at a time, inside a temporary folder that a guard removes even after kill -9. */
async function executeSlots(
  open: readonly Slot[],
  run: Omit<Run, 'temporary' | 'runMark' | 'pace'>,
): Promise<void> {
  const temporary = await makeTemporary(run)
  const cleanup = run.deps.isolation.cleanup(runMark(run.runId))
  const guard = startGuard(run.runId, temporary, cleanup)
  const { adapter, clock, emit, signal } = run.deps
  const pace = new Pace(run.concurrency, (pause) =>
    emit({ event: 'run-paused', at: clock.now(), ...pause }),
  )
  pace.resume(run.slots.all(), signal)
  const mayGoOn = () => mayStart(run.deps) && run.work.reason === null
  const work = async (slots: readonly Slot[]) => {
    // A slot that is to be tried again goes to the end: what failed passes more likely by then.
    const queue = [...slots]
    const attempt = async (slot: Slot) => {
      await attemptNext(slot, { ...run, temporary, runMark: guard.mark, pace })
      if (!run.slots.isSettled(slot)) queue.push(slot)
    }
    await workThrough(queue, run.concurrency, attempt, mayGoOn)
  }
  try {
    await adapter.open?.({ temporary, runMark: guard.mark })
    // Slots after a look wait for it, so that a stop leaves no episode out.
    for (const slots of run.stop.parts(open)) {
      if (run.stop.decision !== null) break
      await work(slots)
    }
  } finally {
    await adapter.close?.()
    await removeTree(temporary)
    await guard.release()
    await forgetOutside(run.folder)
  }
}

async function attemptNext(slot: Slot, run: Run): Promise<void> {
  const { deps, work, slots, pace } = run
  // Checked again at the start, because other attempts may have changed the result meanwhile.
  const mayRun = () => mayStart(deps) && work.reason === null
  const attempt = async () => (mayRun() ? attemptSlot(slot, slots.last(slot), run) : null)
  const episode = await pace.run(attempt, deps.signal)
  if (episode === null) return
  slots.add(episode)
  deps.spending?.add(episode)
  work.add(episode)
}

function mayStart(deps: RunDependencies): boolean {
  return !deps.signal.aborted && maySpend(deps)
}

function maySpend({ spending }: RunDependencies): boolean {
  return !spending?.report().closed
}

async function attemptSlot(slot: Slot, previous: Episode | null, run: Run): Promise<Episode> {
  const { deps, folder, journal, runId, plan, temporary, runMark, registrations } = run
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
      registrations,
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
    ...(episode.subject.arm === undefined ? {} : { arm: episode.subject.arm }),
    ...(episode.outcome.status === 'solved' ? {} : { reason: outcomeReason(episode.outcome) }),
  })
  return episode
}
