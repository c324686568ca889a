import { needsEvaluation } from '../../evaluation/fold-evaluations.ts'
import { countOf, listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** The mode of an external model-driven episode is backed by its call log or recording. */
export const modeEvidenceRule: Rule = {
  code: 'mode-evidence',
  fromSeed: false,
  demand: () =>
    'External model-driven episodes include the gateway’s call log (live) or the recording (recorded-real).',
  check: ({ facts, context: { evaluations } }) => {
    if (evaluations === null) return null
    const bare = facts.filter(
      (fact) => needsEvaluation(fact) && evaluations.get(fact.episodeId)?.isModelSeen === false,
    )
    if (bare.length === 0) return null
    const modes = listNames(bare.map(({ mode }) => mode))
    return {
      reason: `${countOf(bare.length, 'episode')} with mode ${modes} lack the gateway’s call log or the recording (tasks: ${listNames(bare.map(({ taskId }) => taskId))}).`,
      remedy:
        'Upload the complete run folder: calls.ndjson for live, recording.json for recorded-real.',
    }
  },
}
