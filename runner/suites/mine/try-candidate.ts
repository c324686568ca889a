import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Digest, digestBytes } from '#lib/domain/digest/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { BaseSettings } from '../../repository/prepare-base.ts'
import { isRunnerError } from '../../runner-error.ts'
import type { Commit, Sieve } from './choose-candidate.ts'
import { type Fall, FallsOut, fall } from './fall-reasons.ts'
import { instructionFrom, instructionFromTests, mergedMessage } from './instruct.ts'
import type { JudgedCommit } from './mined-file.ts'
import { diffOf, type History, listMergedMessages } from './open-history.ts'
import { type Prepare, proveCandidate } from './prove-candidate.ts'
import { type Setups, setupKey } from './setups.ts'
import { emptyMessage, subjectOf, type Work } from './sift-commits.ts'
import { type TaskSettings, writeTask } from './write-task.ts'

/** Options of mining. */
export type MineOptions = {
  out: string
  sieve: Sieve
  task: TaskSettings
  /** Settings for one commit, whose parent may have another runner than the newest commit. */
  taskOf: (commit: Commit) => Promise<TaskSettings>
  judging: BaseSettings
  runs: number
  nameTests: boolean
  concurrency: number
  /** Maximum time for one commit. */
  commitMs: number
  /** Stop after this many admitted tasks; null = judge all. */
  limit: number | null
  /** Called once, before the first trial. */
  onSifted: (candidates: number, commits: number) => void
  /** Called for each step of a trial. */
  onStep?: (commit: Commit, what: string) => void
  /** Called for each candidate that was tried. */
  onJudged: (judged: JudgedCommit) => void
}

/** State that the trials of one call share. */
export type Trials = {
  /** Folder of tasks that are being made. */
  drafts: string
  /** The commit that was first with each change. */
  seen: Map<string, string>
  setups: Setups
  /** Called before a task is stored; false = enough are stored. */
  claim: () => boolean
}

/** Tries a candidate. Null = this call was stopped: the next one judges the commit. */
export async function tryCandidate(
  history: History,
  work: Work,
  options: MineOptions & { trials: Trials },
): Promise<JudgedCommit | null> {
  const { judging, commitMs, trials } = options
  const limit = AbortSignal.timeout(commitMs)
  const signal = AbortSignal.any([judging.signal, limit])
  const trial: Trial = { commit: work.commit, change: null, setup: null }
  try {
    const judged = await makeTask(history, work, { ...options, signal }, trial)
    trials.setups.note(trial.setup, work.commit, null)
    return judged
  } catch (error) {
    if (judging.signal.aborted) return null
    const reason = limit.aborted
      ? fall('too-slow', `more than ${countOf(commitMs / 60_000, 'minute')}`)
      : fallOf(error)
    trials.setups.note(trial.setup, work.commit, reason)
    return describeFallen(trial.commit, reason, trial.change)
  }
}

/** Facts about a candidate, filled in while it is tried. */
type Trial = { commit: Commit; change: Digest | null; setup: Digest | null }

async function makeTask(
  history: History,
  { commit: found, candidate }: Work,
  options: MineOptions & { trials: Trials; signal: AbortSignal },
  trial: Trial,
): Promise<JudgedCommit> {
  const { out, taskOf, judging, runs, nameTests, onStep, trials, signal } = options
  const isMerge = found.parents.length > 1
  const commit = isMerge ? await withBrought(history, found) : found
  trial.commit = commit
  const written = instructionFrom(commit.message)
  if (written === null && !nameTests) throw FallsOut.of(emptyMessage(commit))
  trial.change = digestChange(await diffOf(history, commit, [...commit.files.values()]))
  const twin = trials.seen.get(trial.change)
  if (twin !== undefined) throw new FallsOut('duplicate', twin.slice(0, 10))
  trials.seen.set(trial.change, commit.id)
  const task = await taskOf(commit)
  const setup = await setupKey(history, commit, task)
  const broken = trials.setups.find(setup)
  if (broken !== null) throw FallsOut.of(broken)
  trial.setup = setup
  const taskId = nameTask(commit)
  const draft = join(trials.drafts, taskId)
  try {
    const instruction = written ?? instructionFromTests(commit.message)
    await writeTask(draft, history, commit, { candidate, instruction }, task)
    const proving = { ...judging, signal, runs, nameTests }
    const say = (what: string) => onStep?.(commit, what)
    const prepare: Prepare = (make) => trials.setups.prepare(setup, make)
    const proven = await proveCandidate(draft, { ...proving, onStep: say }, prepare)
    if (signal.aborted || !trials.claim()) throw new Error('stopped')
    await rm(join(out, taskId), { recursive: true, force: true })
    await rename(draft, join(out, taskId))
    return { ...describeCommit(commit, trial.change), verdict: 'admitted', taskId, ...proven }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function withBrought(history: History, merge: Commit): Promise<Commit> {
  return {
    ...merge,
    message: mergedMessage(merge.message, await listMergedMessages(history, merge)),
  }
}

/** Equal for the same lines at other positions of the same files, as after a cherry-pick. */
function digestChange(diff: string): Digest {
  const lines = diff.split('\n').filter((line) => /^[+-]/.test(line))
  return digestBytes(lines.join('\n'))
}

function nameTask(commit: Commit): string {
  const subject = subjectOf(commit).replace(/^[a-z]+(\([^)]*\))?!?:\s*/i, '')
  return `${slug(subject, 50)}-${commit.id.slice(0, 8)}`
}

export function slug(text: string, max: number): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return plain.replace(/^-+/, '').slice(0, max).replace(/-+$/, '') || 'task'
}

function describeCommit(commit: Commit, change: Digest | null) {
  const { id, date } = commit
  return { commit: id, date, subject: subjectOf(commit).slice(0, 200), change }
}

export function describeFallen(
  commit: Commit,
  reason: Fall,
  change: Digest | null = null,
): JudgedCommit {
  return { ...describeCommit(commit, change), verdict: 'fell out', ...reason }
}

/** Returns why a trial failed; throws what has nothing to do with the commit. */
function fallOf(error: unknown): Fall {
  if (error instanceof FallsOut) return error.fall
  if (isRunnerError(error) && error.ofMachine) throw error
  return fall('unusable', (error as Error).message)
}
