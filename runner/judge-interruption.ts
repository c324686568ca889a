import type { Outcome } from '#lib/domain/outcome.ts'
import type { AnyJournalEntry, JournalEntry } from './store/journal.ts'

/** What is true now, by which a reboot or a supervisor that died is seen. */
export type Now = { boot: string | null; isAlive: (identity: string) => boolean }

/** Programs of the subject, or its solution, are at work from here on. */
const AT_WORK = new Set(['subject', 'restore', 'verify'])

const WHY = 'the runner ended while this attempt was under way'

/**
 * What becomes of an attempt that was begun and never sealed. Its runner was killed: by somebody outside, which makes
 * it void, or by the subject, which must not have its failure erased. A subject in a sandbox, of another user, or that
 * is code of ours cannot signal the runner. One that can is answerable, unless something outside shows the cause: the
 * run was being stopped, the machine or the container started anew, or the supervisor died as well. Such a subject
 * could forge these signs too, so its rows are never ranked (`answers-out-of-reach`).
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

/** From the start of the runner that began the attempt to the start of the next one. */
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
