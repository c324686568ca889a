import { existsSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import {
  type Environment,
  type Episode,
  expandPlan,
  type Outcome,
  type Plan,
  type Slot,
} from '#lib/domain/record/index.ts'
import { identifyBoot, isSameAlive } from '../sandbox/process/list-processes.ts'
import { endMarked } from '../sandbox/process/process-tree.ts'
import { type Clock, endAfter } from './clock.ts'
import { ENVELOPE_FILE, seal } from './envelopes.ts'
import type { EnvironmentAdapter } from './environment-adapter.ts'
import { draftEpisode, unjudged, unknownEffort } from './episode-draft.ts'
import { removeTree, removeUnfinished, writeAtomic } from './files.ts'
import type { AnyJournalEntry, Journal, JournalEntry } from './journal.ts'
import type { RunFolder } from './run-folder.ts'

type Interrupted = {
  folder: RunFolder
  journal: Journal
  plan: Plan
  runId: string
  adapter: Pick<EnvironmentAdapter, 'mode'>
  environment: Environment
  clock: Clock
  /** The current state; absent = as this machine reports it. */
  now?: Now
}

const HERE: Now = { boot: identifyBoot(), isAlive: isSameAlive }

/**
 * Seals attempts that were started and never sealed because the runner was killed, so that each is recorded with its
 * reason and a next attempt can refer to it. They are usually void; see `judgeInterruption`. Returns the sealed
 * episodes.
 */
export async function closeInterrupted(run: Interrupted): Promise<Episode[]> {
  const sealed: Episode[] = []
  const journal = run.journal.readAll()
  for (const begun of journal) {
    if (begun.event !== 'attempt-started') continue
    const path = join(
      run.folder.path,
      run.folder.attemptPath(begun.taskId, begun.repetition, begun.attempt),
    )
    if (existsSync(join(path, ENVELOPE_FILE))) continue
    const slot = findSlot(run.plan, begun.taskId, begun.repetition)
    if (!slot) continue
    const identity = {
      runId: run.runId,
      plan: run.plan,
      slot,
      attempt: begun.attempt,
      previousAttempt: null,
      registrations: [],
    }
    await removeUnfinished(path)
    const endedAt = endAfter(run.clock, begun.at, 0)
    const outcome = judgeInterruption(
      journal,
      { ...begun, event: 'attempt-started' },
      run.now ?? HERE,
    )
    sealed.push(
      await seal(
        {
          ...draftEpisode(identity, run.adapter, run.environment),
          ...unjudged(),
          startedAt: begun.at,
          endedAt,
          outcome,
          failureCategory: outcome.status === 'void' ? outcome.fault : 'crash',
          effort: unknownEffort({
            totalMs: Date.parse(endedAt) - Date.parse(begun.at),
          }),
          evidence: [],
        },
        path,
      ),
    )
  }
  return sealed
}

function findSlot(plan: Plan, taskId: string, repetition: number): Slot | undefined {
  return expandPlan(plan).find((slot) => slot.taskId === taskId && slot.repetition === repetition)
}

/** The current state, which shows a reboot or a supervisor that died. */
export type Now = { boot: string | null; isAlive: (identity: string) => boolean }

/** Phases in which the subject's programs or its solution run. */
const AT_WORK = new Set(['subject', 'restore', 'verify'])

const WHY = 'the runner ended while this attempt was under way'

/**
 * Judges an attempt that was started and never sealed. Its runner was killed either from outside, which makes it void,
 * or by the subject, whose failure must not be erased. A subject cannot signal the runner if it runs in a sandbox, as
 * another user, or is our own code. Any other subject is held responsible unless evidence shows another cause: the run
 * was being stopped, the machine or container was restarted, or the supervisor died as well. Such a subject could forge
 * this evidence too, so its rows are never ranked (`answers-out-of-reach`).
 */
export function judgeInterruption(
  journal: readonly AnyJournalEntry[],
  begun: JournalEntry,
  now: Now,
): Extract<Outcome, { status: 'void' | 'subject-crashed' }> {
  const own = entriesOfItsRunner(journal, begun)
  const started = own.find((entry) => entry.event === 'runner-started')
  const phase = lastPhase(own, begun)
  const isVoid = !started?.subjectCanSignal || !AT_WORK.has(phase ?? '')
  const cause = started ? findOutsideCause(own, started, now) : null
  if (isVoid || cause !== null) {
    const reason = cause === null ? WHY : `${WHY}: ${cause}`
    return { status: 'void', fault: 'infrastructure', reason }
  }
  return {
    status: 'subject-crashed',
    exitCode: null,
    signal: null,
    reason: `${WHY}, in phase ${phase}; the subject could end it, and nothing outside the attempt shows another cause`,
  }
}

/** Entries from the start of the runner that began the attempt to the start of the next one. */
function entriesOfItsRunner(
  journal: readonly AnyJournalEntry[],
  begun: JournalEntry,
): readonly AnyJournalEntry[] {
  const at = journal.findIndex(
    (entry) => entry.event === 'attempt-started' && isSameAttempt(entry, begun),
  )
  const isStart = (entry: AnyJournalEntry) => entry.event === 'runner-started'
  const from = journal.slice(0, at + 1).findLastIndex(isStart)
  const next = journal.findIndex((entry, index) => index > at && isStart(entry))
  return journal.slice(Math.max(0, from), next === -1 ? undefined : next)
}

type SlotEntry = { taskId: string; repetition: number; attempt: number }

function isSameAttempt(a: SlotEntry, b: SlotEntry): boolean {
  return a.taskId === b.taskId && a.repetition === b.repetition && a.attempt === b.attempt
}

function lastPhase(own: readonly AnyJournalEntry[], begun: JournalEntry): string | null {
  const phases = own.flatMap((entry) =>
    entry.event === 'phase-started' && isSameAttempt(entry, begun) ? [entry.phase] : [],
  )
  return phases.at(-1) ?? null
}

type Started = Extract<AnyJournalEntry, { event: 'runner-started' }>

function findOutsideCause(
  own: readonly AnyJournalEntry[],
  { boot, supervisor }: Started,
  now: Now,
): string | null {
  const stop = own.find((entry) => entry.event === 'stop-asked')
  if (stop) return `it was being stopped (${stop.reason})`
  if (boot !== null && now.boot !== null && boot !== now.boot)
    return 'the machine or its container was restarted'
  if (supervisor !== null && !now.isAlive(supervisor)) return 'its supervisor died as well'
  return null
}

/** A run's work outside its folder: the mark that its processes carry, and its temporary folder. */
const outsideSchema = z.object({
  mark: z.string().regex(/^run_[0-9a-z]+-\d+$/),
  temporary: z.string(),
})
type OutsideWork = z.infer<typeof outsideSchema>

/** Records outside work before it begins, so that it can be cleaned up even if runner and guard are killed together. */
export function noteOutside(folder: RunFolder, work: OutsideWork): Promise<void> {
  return writeAtomic(folder.outsidePath, `${JSON.stringify(work)}\n`)
}

/** Records that nothing is left outside. */
export function forgetOutside(folder: RunFolder): Promise<void> {
  return rm(folder.outsidePath, { force: true })
}

/** Ends what a killed runner of this folder left: processes, its temporary folder, half-written files. */
export async function clearOutside(folder: RunFolder): Promise<void> {
  const work = readNote(folder.outsidePath)
  if (work !== null) {
    await endMarked(work.mark)
    if (isOurs(work.temporary)) await removeTree(work.temporary)
  }
  await forgetOutside(folder)
  for (const path of await listDrafts(folder)) await rm(path, { force: true })
}

function readNote(path: string): OutsideWork | null {
  if (!existsSync(path)) return null
  try {
    return outsideSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

/** Prevents an altered record from removing anything else. */
function isOurs(temporary: string): boolean {
  const isPlace = [tmpdir(), '/tmp'].includes(dirname(temporary))
  return isPlace && /^proofboard-[0-9A-Za-z]+$/.test(basename(temporary))
}

/** Lists the temporary files that `writeAtomic` has not renamed yet. */
async function listDrafts({ path, episodesPath }: RunFolder): Promise<string[]> {
  const own = await readdir(path)
  const attempts = await readdir(episodesPath, { recursive: true })
  return [
    ...own.map((name) => join(path, name)),
    ...attempts.map((name) => join(episodesPath, name)),
  ].filter((file) => /\.json\.\d+\.tmp$/.test(file))
}
