import { type AnyBundle, isScored, type OutcomeStatus } from '../record/index.ts'
import type { Problem } from '../text/index.ts'
import { findContradiction, type ReportedFacts } from './reported-facts.ts'

/** A stored episode; `directory` null = stored without evidence files. */
export type StoredEpisode = Candidate & { directory: string | null }

export type JudgedIncoming<E extends Placed = IncomingEpisode> = {
  fresh: E[]
  duplicates: { episode: E; kept: StoredEpisode }[]
  /** In conflict with stored episodes. */
  conflicts: IncomingRefusal[]
  /** Refused in any order of uploads: the upload contradicts itself, or something is missing. */
  flawed: IncomingRefusal[]
}

/**
 * Decides which of one run's incoming episodes are new, already stored, or in conflict with stored ones. A slot is
 * scored once: a further attempt may only follow attempts that were excluded from scoring, and those have to be known,
 * or a sender could choose the attempt that counts; and only as often as the plan allows (`maxAttempts`; null =
 * unknown).
 */
export function judgeIncoming<E extends Placed>(
  incoming: readonly E[],
  stored: readonly StoredEpisode[],
  maxAttempts: number | null,
): JudgedIncoming<E> {
  const judged: JudgedIncoming<E> = { fresh: [], duplicates: [], conflicts: [], flawed: [] }
  const known = new Map(stored.map((one) => [attemptKey(one), one]))
  const all = new Map<string, Candidate>(known)
  for (const episode of incoming) {
    const there = all.get(attemptKey(episode))
    if (!there) all.set(attemptKey(episode), episode)
    const before = known.get(attemptKey(episode))
    if (!there) judged.fresh.push(episode)
    else if (!isSame(there, episode))
      judged[before ? 'conflicts' : 'flawed'].push(
        refuse(episode, describeOther(episode, there, before)),
      )
    else if (before) judged.duplicates.push({ episode, kept: before })
  }
  return withoutLate(judged, (episode) => {
    const problem = findEarlierProblem(episode, all, maxAttempts)
    return problem && { ...problem, isKept: known.has(problem.earlier ?? '') }
  })
}

/** Finds attempts of a bundle that must not follow those before them; such a bundle is refused on every server. */
export function judgeAttempts({ plan, episodes }: Pick<AnyBundle, 'plan' | 'episodes'>): Problem[] {
  const incoming = episodes.map(({ outcome, ...episode }, index) => {
    return { ...episode, status: outcome.status, path: `episodes.${index}` }
  })
  const { flawed } = judgeIncoming(incoming, [], plan.settings.maxAttempts)
  return flawed.map(({ path, message }) => ({ path, message }))
}

/** Drops fresh episodes that conflict with an earlier attempt. */
function withoutLate<E extends Placed>(
  judged: JudgedIncoming<E>,
  find: (episode: E) => { message: string; isKept: boolean } | null,
): JudgedIncoming<E> {
  const { duplicates, conflicts, flawed } = judged
  const sorted: JudgedIncoming<E> = {
    fresh: [],
    duplicates,
    conflicts: [...conflicts],
    flawed: [...flawed],
  }
  for (const episode of judged.fresh) {
    const problem = find(episode)
    if (problem === null) sorted.fresh.push(episode)
    else sorted[problem.isKept ? 'conflicts' : 'flawed'].push(refuse(episode, problem.message))
  }
  return sorted
}

/** `earlier` = the conflicting attempt; null = it is missing. */
function findEarlierProblem(
  episode: Candidate,
  all: ReadonlyMap<string, Candidate>,
  maxAttempts: number | null,
): { message: string; earlier: string | null } | null {
  const slot = `${episode.taskId}, repetition ${episode.repetition}`
  let voids = 0
  for (let attempt = 1; attempt < episode.attempt; attempt++) {
    const key = attemptKey({ ...episode, attempt })
    const earlier = all.get(key)
    if (!earlier) {
      const message = `attempt ${attempt} of ${slot} is missing: upload all attempts of the run together`
      return { message, earlier: null }
    }
    if (isScored(earlier.status)) {
      const message = `${slot} is scored by attempt ${attempt} already: a later attempt cannot replace it`
      return { message, earlier: key }
    }
    // A cancelled attempt is made again and does not count against the limit.
    if (earlier.status === 'void') voids++
    if (maxAttempts !== null && voids >= maxAttempts) {
      const message = `is attempt ${episode.attempt} of ${slot}, and the plan allows ${maxAttempts}: the void ones stay as they are`
      return { message, earlier: null }
    }
  }
  return null
}

/** True for the same bytes or, for a source whose records repeat each other, for facts that do not contradict. */
function isSame(a: Candidate, b: Candidate): boolean {
  if (a.episodeId === b.episodeId && a.seal === b.seal) return true
  return Boolean(a.facts && b.facts) && contradictionOf(a, b) === null
}

function contradictionOf({ facts }: Candidate, there: Candidate) {
  return facts && there.facts ? findContradiction(facts, there.facts) : null
}

function describeOther(
  episode: Candidate,
  there: Candidate,
  before: StoredEpisode | undefined,
): string {
  const { taskId, repetition, attempt } = episode
  const where = `${taskId}, repetition ${repetition}, attempt ${attempt}`
  const found = contradictionOf(episode, there)
  const what = found ? `: ${found.name} is ${found.here} here and ${found.there} there` : ''
  return before
    ? `${where} is already stored with different content, which was not changed${what}`
    : `${where} is in this upload twice, with different content${what}`
}

function refuse({ path, episodeId }: Placed, message: string): IncomingRefusal {
  return { path, message, episodeId }
}

function attemptKey(one: Pick<Candidate, 'runId' | 'taskId' | 'repetition' | 'attempt'>): string {
  return `${one.runId}/${one.taskId}/${one.repetition}/${one.attempt}`
}

/** The facts that decide whether an episode can be stored: its id, its seal, its slot. */
type Candidate = {
  episodeId: string
  seal: string
  runId: string
  taskId: string
  repetition: number
  attempt: number
  status: OutcomeStatus
  /** Facts stated by its record, if those are compared instead of its bytes. */
  facts?: ReportedFacts | null
}

/** With its path in the upload. */
type Placed = Candidate & { path: string }

/** An episode that was read completely and can be stored. */
export type IncomingEpisode = Placed & {
  subject: string
  /** Number of its evidence files that were received intact, and that are missing. */
  evidence: { matched: number; missing: number }
}

/** Why an item cannot be stored, and its path in the upload. */
export type IncomingRefusal = { path: string; message: string; episodeId: string | null }
