import { needsEvaluation } from '../../evaluation/fold-evaluations.ts'
import { countOf, listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** A mode is more than a word: calls or recording of a model that drove an episode elsewhere came along with it. */
export const modeEvidenceRule: Rule = {
  code: 'mode-evidence',
  fromSeed: false,
  demand: () =>
    'Where a model drove an episode elsewhere, the gateway’s log of its calls came along for live, and the recording for recorded-real.',
  check: ({ facts, context: { evaluations } }) => {
    if (evaluations === null) return null
    const bare = facts.filter(
      (fact) => needsEvaluation(fact) && evaluations.get(fact.episodeId)?.isModelSeen === false,
    )
    if (bare.length === 0) return null
    const modes = listNames(bare.map(({ mode }) => mode))
    return {
      reason: `${countOf(bare.length, 'episode')} called ${modes} came without the gateway’s log of model calls or without the recording (tasks: ${listNames(bare.map(({ taskId }) => taskId))}).`,
      remedy: 'Send the whole run folder: calls.ndjson for live, recording.json for recorded-real.',
    }
  },
}
