import { z } from 'zod'
import {
  countEach,
  type EpisodeFact,
  type Evaluation,
  type EvaluationResult,
  groupBy,
  instantSchema,
  isScored,
  MAX_TRIES,
} from '../record/index.ts'
import type { EvaluatedHere, EvaluationState } from './eligibility.ts'

type Place = Pick<EpisodeFact, 'provenance' | 'status' | 'verdict'>

/**
 * True if this server evaluates an episode again: it came from outside (also by an administrator, who need not know the
 * content of an uploaded file), and is scored by a verdict: of Proofboard's own runner, or of a verifier whose final
 * state is in escrow. Other reported episodes have none.
 */
export function needsEvaluation({ provenance, status, verdict }: Place): boolean {
  return provenance !== 'local' && isScored(status) && verdict !== null
}

export function outsideOf(facts: readonly EpisodeFact[]): EpisodeFact[] {
  return facts.filter(needsEvaluation)
}

const NOT_YET: EvaluationState = { state: 'pending', reason: null, isModelSeen: true }

/**
 * Combines each episode's evaluations into one state, by episode id: the newest result counts, regardless of later
 * attempts without one; otherwise the last attempt gives the reason. Episodes that are not in the map were not
 * evaluated yet.
 */
export function foldEvaluations(all: readonly Evaluation[]): Map<string, EvaluationState> {
  const byEpisode = groupBy(all, ({ episodeId }) => episodeId)
  return new Map([...byEpisode].map(([episodeId, own]) => [episodeId, fold(own)]))
}

const SEEN: ReadonlySet<Evaluation['modelEvidence']> = new Set(['not-needed', 'whole'])

function fold(unsorted: readonly Evaluation[]): EvaluationState {
  const own = [...unsorted].sort((a, b) => a.number - b.number)
  const last = own.at(-1)
  const decisive = own.findLast(isAnswer)
  const one = decisive ?? last
  // Before policy 7, browser workflows were accepted without judging their stored state.
  if (!one || (one.result === 'browser' && one.policyVersion === undefined)) return NOT_YET
  // Files received later are seen by the last evaluation; files seen once may have been pruned.
  const model = own.findLast(({ modelEvidence }) => modelEvidence !== 'missing')
  const isModelSeen = model !== undefined && SEEN.has(model.modelEvidence)
  const { result, verifier } = one
  if (result === 'agreed')
    return {
      state: result,
      reason: null,
      isModelSeen,
      ...(one.isUntouched && { isUntouched: true }),
    }
  if (result === 'browser') return { state: result, reason: one.reason, isModelSeen }
  if (result === 'disagreed')
    return { state: result, reason: one.reason ?? SENTENCES.disagreed, isModelSeen }
  if (result !== 'trouble') return { state: 'impossible', reason: say(one), isModelSeen }
  const tries = own.filter((other) => isSameTrouble(other, verifier?.digest ?? null))
  return tries.length < MAX_TRIES
    ? { ...NOT_YET, isModelSeen }
    : { state: 'impossible', reason: say(one), isModelSeen }
}

function isAnswer({ result, policyVersion }: Evaluation): boolean {
  if (result === 'browser') return policyVersion !== undefined
  return result === 'agreed' || result === 'disagreed'
}

function isSameTrouble({ result, verifier }: Evaluation, digest: string | null): boolean {
  return result === 'trouble' && (verifier?.digest ?? null) === digest
}

const SENTENCES: Record<Exclude<EvaluationResult, 'agreed' | 'browser'>, string> = {
  disagreed: 'evaluating the solution again here gave another verdict',
  trouble: 'could not be evaluated here',
  'no-evidence': 'no solution was sent',
  'no-solution': 'no solution was sent',
  'no-task': 'not evaluated here: this server has another version of the task, or none',
  'no-sandbox': 'not evaluated here: this machine has no sandbox',
  'no-place': 'not evaluated here',
}

function say({ result, reason }: Evaluation): string {
  if (result === 'agreed' || result === 'browser') return ''
  return reason === null ? SENTENCES[result] : `${SENTENCES[result]}: ${reason}`
}

/** Note on workflows with criteria that could not be judged again. */
export const RESTS_ON_SENDER =
  'its stored final state was judged again; criteria about the page rest on its sender'

/** Undefined if every episode ran here, was reported by another program, or is excluded from scoring. */
export function buildEvaluatedHere(
  counted: readonly EpisodeFact[],
  states: ReadonlyMap<string, EvaluationState>,
): EvaluatedHere | undefined {
  const outside = outsideOf(counted)
  if (outside.length === 0) return undefined
  const own = outside.map(({ episodeId }) => states.get(episodeId))
  const of = (...wanted: (EvaluationState['state'] | undefined)[]) =>
    own.filter((one) => wanted.includes(one?.state)).length
  const reason = commonest(
    own.flatMap((one) =>
      one?.state === 'browser' ? (one.reason ?? RESTS_ON_SENDER) : (one?.reason ?? []),
    ),
  )
  return {
    agreed: of('agreed'),
    disagreed: of('disagreed'),
    pending: of('pending', undefined),
    impossible: of('impossible', 'browser'),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** The most frequent text; independent of the order of episodes. */
export function commonest(texts: readonly string[]): string | undefined {
  return [...countEach(texts)].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0]
}

/** State of evaluating one episode here, for its page and the API. */
export const evaluationViewSchema = z.object({
  state: z.enum(['agreed', 'disagreed', 'pending', 'impossible', 'browser']),
  /** Reason as part of a sentence; null = the state needs none. */
  reason: z.string().nullable(),
  /** Time of the last evaluation; null = not evaluated yet. */
  at: instantSchema.nullable(),
  looks: z.number().int().nonnegative(),
})
export type EvaluationView = z.infer<typeof evaluationViewSchema>

/**
 * Null if no evaluation is needed: the episode ran here, was reported by another program, or is excluded from scoring.
 */
export function viewEvaluation(
  fact: Parameters<typeof needsEvaluation>[0],
  all: readonly Evaluation[],
): EvaluationView | null {
  if (!needsEvaluation(fact)) return null
  const [found] = foldEvaluations(all).values()
  const at = all.map((one) => one.at).sort()
  const shared = { at: at.at(-1) ?? null, looks: all.length }
  if (!found) return { state: 'pending', reason: null, ...shared }
  const reason = found.state === 'browser' ? (found.reason ?? RESTS_ON_SENDER) : found.reason
  return { state: found.state, reason, ...shared }
}
