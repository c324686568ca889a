import type { EpisodeFact } from '../board/episode-fact.ts'
import { isScored } from '../outcome.ts'
import { type Evaluation, type EvaluationResult, MOST_TRIES } from './evaluation.ts'

/**
 * Where judging an episode here stands. `browser` can never be judged again: it rests on its sender's word; every other
 * `impossible` keeps its row from being a claim. `reason` is a part of a sentence.
 */
export type EvaluationState =
  | { state: 'agreed' | 'pending' | 'browser'; reason: null; isModelSeen: boolean }
  | { state: 'disagreed' | 'impossible'; reason: string; isModelSeen: boolean }

type Place = Pick<EpisodeFact, 'provenance' | 'mode' | 'status' | 'verdict'>

/**
 * Whether this server judges an episode again: it came from outside, uploads by administrators included, since whoever
 * uploads a file need not know what is in it; and it is scored by a verdict of our own runner.
 */
export function needsEvaluation({ provenance, mode, status, verdict }: Place): boolean {
  return provenance !== 'local' && mode !== 'reported' && isScored(status) && verdict !== null
}

const NOT_YET: EvaluationState = { state: 'pending', reason: null, isModelSeen: true }

/**
 * Each episode's evaluations as one state, by episode id: the newest answer counts, whatever came after it; without one
 * the last look says why there is none. An episode that is not in the map was not looked at yet.
 */
export function foldEvaluations(all: readonly Evaluation[]): Map<string, EvaluationState> {
  const byEpisode = new Map<string, Evaluation[]>()
  for (const one of all) {
    const own = byEpisode.get(one.episodeId)
    if (own) own.push(one)
    else byEpisode.set(one.episodeId, [one])
  }
  return new Map([...byEpisode].map(([episodeId, own]) => [episodeId, fold(own)]))
}

function fold(unsorted: readonly Evaluation[]): EvaluationState {
  const own = [...unsorted].sort((a, b) => a.number - b.number)
  const last = own.at(-1)
  const answer = own.findLast(({ result }) => result === 'agreed' || result === 'disagreed')
  const one = answer ?? last
  if (!one) return NOT_YET
  // Files that came later are seen by the last look; what was seen once may be pruned.
  const isModelSeen = own.some(({ modelEvidence }) => modelEvidence !== 'missing')
  const { result, verifier } = one
  if (result === 'agreed' || result === 'browser')
    return { state: result, reason: null, isModelSeen }
  if (result === 'disagreed')
    return { state: result, reason: one.reason ?? SENTENCES.disagreed, isModelSeen }
  if (result !== 'trouble') return { state: 'impossible', reason: say(one), isModelSeen }
  const tries = own.filter((other) => isSameTrouble(other, verifier?.digest ?? null))
  return tries.length < MOST_TRIES
    ? { ...NOT_YET, isModelSeen }
    : { state: 'impossible', reason: say(one), isModelSeen }
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
}

function say({ result, reason }: Evaluation): string {
  if (result === 'agreed' || result === 'browser') return ''
  return reason === null ? SENTENCES[result] : `${SENTENCES[result]}: ${reason}`
}
