import type { EpisodeFact } from '../board/episode-fact.ts'
import type { EvaluationState } from '../evaluation/fold-evaluations.ts'
import type { SeededGenerator } from '../statistics/seeded-generator.ts'
import type { RuleCode } from './rule.ts'
import type { SpoilCase } from './whole-case.fixture.ts'

type Spoil = (gate: SpoilCase, chance: SeededGenerator) => SpoilCase

/** Ways to break what this server found when it judged solutions again. */
export const EVALUATION_SPOILERS: readonly { code: RuleCode; name: string; spoil: Spoil }[] = [
  { code: 'evaluated-here', name: 'not evaluated yet', spoil: judged(undefined) },
  {
    code: 'evaluated-here',
    name: 'another answer',
    spoil: judged({ state: 'disagreed', reason: 'another verdict', isModelSeen: true }),
  },
  {
    code: 'evaluated-here',
    name: 'no answer',
    spoil: judged({ state: 'impossible', reason: 'no solution was sent', isModelSeen: true }),
  },
  {
    code: 'mode-evidence',
    name: 'no call log',
    spoil: judged({ state: 'agreed', reason: null, isModelSeen: false }),
  },
]

/** Says of one episode, drawn by chance, what was found; undefined = nobody looked. */
function judged(state: EvaluationState | undefined): Spoil {
  return ({ facts, context }, chance) => {
    const evaluations = new Map(context.evaluations)
    const { episodeId } = facts[chance.nextBelow(facts.length)] as EpisodeFact
    if (state) evaluations.set(episodeId, state)
    else evaluations.delete(episodeId)
    return { facts, context: { ...context, evaluations } }
  }
}
