import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Digest, digestBytes, digestJson } from '#lib/domain/digest/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { writeAtomic } from '../../engine/files.ts'
import type { BaseSettings } from '../../repository/prepare-base.ts'
import { isRunnerError, usageError } from '../../runner-error.ts'
import { workThrough } from '../../work-through.ts'
import {
  type Candidate,
  type Commit,
  chooseCandidate,
  namesPackages,
  type Sieve,
} from './choose-candidate.ts'
import { describeFall, type Fall, FallsOut, fall } from './fall-reasons.ts'
import {
  type Instruction,
  instructionFrom,
  instructionFromTests,
  mergedMessage,
} from './instruct.ts'
import { type JudgedCommit, type Mined, readMined, writeMined } from './mined-file.ts'
import { diffOf, type History, listBrought, listChanged, listTree } from './open-history.ts'
import { proveCandidate } from './prove-candidate.ts'
import { removeTaskDrafts, type TaskSettings, writeTask } from './write-task.ts'

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

const DRAFTS = '.drafts'

/**
 * Judges the commits of a history, newest first, and writes a suite of the admitted ones with `mined.json`. Commits
 * judged by an earlier call are skipped; whatever ends the process leaves only complete tasks.
 */
export async function mineHistory(
  history: History,
  commits: readonly Commit[],
  options: MineOptions,
): Promise<Mined> {
  const state = await openState(history, options)
  const work = await sift(history, commits, options, state)
  await state.save()
  options.onSifted(work.length, commits.length)
  const { limit, judging } = options
  let running = 0
  // A commit that is being tried counts, because it may become a task: there are never more than asked for.
  const mayGoOn = () =>
    !judging.signal.aborted && (limit === null || state.admitted() + running < limit)
  const failedSetups: FailedSetups = new Map()
  const judge = async (next: Work) => {
    running += 1
    const judged = await judgeOne(history, next, { ...options, failedSetups })
    if (judged === null) return
    state.add(judged)
    running -= 1
    options.onJudged(judged)
    await state.save()
  }
  await workThrough(work, options.concurrency, judge, mayGoOn)
  await removeTaskDrafts(join(options.out, DRAFTS))
  return state.save()
}

type State = {
  judged: ReadonlyMap<string, JudgedCommit>
  admitted: () => number
  add: (judged: JudgedCommit) => void
  save: () => Promise<Mined>
}

async function openState(history: History, options: MineOptions): Promise<State> {
  const { out, sieve, task, runs, nameTests } = options
  const { isTest: _, ...written } = task
  const { isSteering: __, ...chosen } = sieve
  const digest = digestJson({ from: history.from, chosen, written, runs, nameTests })
  await mkdir(out, { recursive: true })
  const before = readMined(out)
  if (before !== null && before.options !== digest)
    throw usageError(
      `${out} was mined from ${before.repository} with other options: repeat them, or choose another --out`,
      '--out',
    )
  if (before === null && existsSync(join(out, 'suite.json')))
    throw usageError(`${out} is a suite already: choose another --out`, '--out')
  await removeTaskDrafts(join(out, DRAFTS))
  const judged = new Map(before?.commits.map((one) => [one.commit, one]))
  let saving: Promise<unknown> = Promise.resolve()
  const save = () => {
    const what = { repository: history.from, options: digest, commits: [...judged.values()] }
    const saved = saving.then(() => writeMined(out, what))
    saving = saved.catch(() => {})
    return saved
  }
  await writeSuite(out, history)
  return {
    judged,
    admitted: () => [...judged.values()].filter(({ verdict }) => verdict === 'admitted').length,
    add: (one) => void judged.set(one.commit, one),
    save,
  }
}

async function writeSuite(out: string, { from }: History): Promise<void> {
  if (existsSync(join(out, 'suite.json'))) return
  const name =
    from
      .replace(/\.git$|\/+$/g, '')
      .split(/[/:]/)
      .at(-1) || 'repository'
  const suite = {
    suiteId: `mined-${slug(name, 40)}`,
    kind: 'repository',
    title: `Mined from ${name}`.slice(0, 200),
    version: '1.0.0',
    description: `Commits of ${name}, each with the tests that fail before and pass after it.`,
    source: null,
  }
  await writeAtomic(join(out, 'suite.json'), `${JSON.stringify(suite, null, 2)}\n`)
}

function slug(text: string, most: number): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return plain.replace(/^-+/, '').slice(0, most).replace(/-+$/, '') || 'task'
}

type Work = {
  commit: Commit
  candidate: Candidate
  instruction: Instruction
  change: Digest
  nameTests: boolean
}

/** Applies the checks that need only git, which reject most commits, in the order of the log. */
async function sift(
  history: History,
  commits: readonly Commit[],
  options: MineOptions,
  state: State,
): Promise<Work[]> {
  const seen = new Map<string, string>()
  for (const { change, commit } of state.judged.values()) if (change) seen.set(change, commit)
  const work: Work[] = []
  for (const commit of commits) {
    if (options.judging.signal.aborted) break
    if (state.judged.has(commit.id)) continue
    const found = await siftOne(history, commit, options, seen)
    if ('candidate' in found) work.push(found)
    else state.add({ ...about(commit, null), verdict: 'fell out', ...found })
  }
  return work
}

async function siftOne(
  history: History,
  found: Commit,
  { sieve, nameTests }: MineOptions,
  seen: Map<string, string>,
): Promise<Work | Fall> {
  const { length } = found.parents
  const files =
    length === 1 || (length > 1 && sieve.takesMerges) ? await listChanged(history, found) : []
  const candidate = chooseCandidate(found, files, sieve)
  if ('code' in candidate) return candidate
  const commit = length === 1 ? found : await withBrought(history, found)
  const written = instructionFrom(commit.message)
  if (written === null && !nameTests) return fall('message-empty', subjectOf(commit).slice(0, 80))
  const change = digestChange(await diffOf(history, commit, files))
  const twin = seen.get(change)
  if (twin !== undefined) return fall('duplicate', twin.slice(0, 10))
  seen.set(change, commit.id)
  const instruction = written ?? instructionFromTests(commit.message)
  return { commit, candidate, instruction, change, nameTests }
}

async function withBrought(history: History, merge: Commit): Promise<Commit> {
  return { ...merge, message: mergedMessage(merge.message, await listBrought(history, merge)) }
}

/** Equal for the same lines at other positions of the same files, as after a cherry-pick. */
function digestChange(diff: string): Digest {
  const lines = diff.split('\n').filter((line) => /^[+-]/.test(line))
  return digestBytes(lines.join('\n'))
}

const subjectOf = ({ message }: Commit) => message.trim().split('\n')[0] ?? ''

function about(commit: Commit, change: Digest | null) {
  const { id, date } = commit
  return { commit: id, date, subject: subjectOf(commit).slice(0, 200), change }
}

/** Set-ups that failed in this call, by what they install. */
type FailedSetups = Map<string, Fall>

const SETUP_CODES = new Set<Fall['code']>(['setup-fails', 'needs-network'])

/** Returns what a set-up depends on: its commands and the files that name packages; null = there is none. */
async function setupKey(
  history: History,
  { parents: [parent = ''] }: Commit,
  { runner: { setup } }: TaskSettings,
): Promise<Digest | null> {
  if (setup.length === 0) return null
  const files = (await listTree(history, parent)).filter(({ path }) => namesPackages(path))
  return digestJson([setup, files.map(({ path, id }) => [path, id])])
}

/** Null = this call was stopped: the next one judges the commit. */
async function judgeOne(
  history: History,
  work: Work,
  options: MineOptions & { failedSetups: FailedSetups },
): Promise<JudgedCommit | null> {
  const { out, taskOf, judging, runs, commitMs, onStep, failedSetups } = options
  const { commit, change, nameTests } = work
  const taskId = `${slug(subjectOf(commit).replace(/^[a-z]+(\([^)]*\))?!?:\s*/i, ''), 50)}-${commit.id.slice(0, 8)}`
  const draft = join(out, DRAFTS, taskId)
  const limit = AbortSignal.timeout(commitMs)
  const signal = AbortSignal.any([judging.signal, limit])
  const fallen = (reason: Fall): JudgedCommit => ({
    ...about(commit, change),
    verdict: 'fell out',
    ...reason,
  })
  let setup: string | null = null
  try {
    const task = await taskOf(commit)
    setup = await setupKey(history, commit, task)
    const failed = setup === null ? undefined : failedSetups.get(setup)
    if (failed !== undefined) throw new FallsOut(failed.code, `as ${failed.detail}`)
    await writeTask(draft, history, commit, work, task)
    const said = (what: string) => onStep?.(commit, what)
    const proven = await proveCandidate(draft, {
      ...judging,
      signal,
      runs,
      nameTests,
      onStep: said,
    })
    if (signal.aborted) throw new Error('stopped')
    await rm(join(out, taskId), { recursive: true, force: true })
    await rename(draft, join(out, taskId))
    return { ...about(commit, change), verdict: 'admitted', taskId, ...proven }
  } catch (error) {
    if (judging.signal.aborted) return null
    const reason = limit.aborted
      ? fall('too-slow', `more than ${countOf(commitMs / 60_000, 'minute')}`)
      : fallOf(error)
    if (setup !== null && SETUP_CODES.has(reason.code) && !failedSetups.has(setup))
      failedSetups.set(
        setup,
        fall(reason.code, `for ${commit.id.slice(0, 10)}, with the same packages`),
      )
    return fallen(reason)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Returns why a trial failed; throws what has nothing to do with the commit. */
function fallOf(error: unknown): Fall {
  if (error instanceof FallsOut) return error.fall
  if (isRunnerError(error) && error.ofMachine) throw error
  return fall('unusable', (error as Error).message)
}

/** Formats the counts of rejected commits by reason. */
export function describeCounts({ counts }: Mined): string[] {
  const fallen = Object.entries(counts.fellOut).sort(([, a], [, b]) => b - a)
  return [
    `${countOf(counts.admitted, 'task')} of ${countOf(counts.judged, 'commit')}`,
    ...fallen.map(([code, count]) => {
      const reason = describeFall({ code: code as Fall['code'], detail: '' })
      return `${String(count).padStart(6)} no task: ${reason}`
    }),
  ]
}
