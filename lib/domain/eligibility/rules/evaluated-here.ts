import { commonest } from '../../evaluation/evaluated-here.ts'
import { needsEvaluation } from '../../evaluation/fold-evaluations.ts'
import { countOf, listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Results from elsewhere count only after this server has evaluated the stored solutions itself. */
export const evaluatedHereRule: Rule = {
  code: 'evaluated-here',
  fromSeed: false,
  demand: () =>
    'This server evaluated the stored solution of every episode that ran elsewhere and reached the same verdict. Browser workflows cannot be evaluated again and rely on their sender.',
  check: ({ facts, context: { evaluations } }) => {
    if (evaluations === null) return null
    const outside = facts.filter(needsEvaluation)
    const found = outside.map((fact) => ({ fact, state: evaluations.get(fact.episodeId) }))
    const other = found.filter(({ state }) => state?.state === 'disagreed')
    if (other.length > 0)
      return {
        reason: `Evaluating the stored solutions on this server changed the verdict of ${countOf(other.length, 'episode')} (tasks: ${listNames(other.map(({ fact }) => fact.taskId))}).`,
        remedy: 'Find out why the two verifiers disagree, then rerun those episodes.',
      }
    const impossible = found.filter(({ state }) => state?.state === 'impossible')
    const why = commonest(impossible.flatMap(({ state }) => state?.reason ?? []))
    if (why !== undefined)
      return {
        reason: `${impossible.length} of ${countOf(outside.length, 'episode')} from elsewhere could not be evaluated: ${why}.`,
        remedy:
          'Upload the complete run folder to a server that has this suite and bubblewrap, or run the episodes there.',
      }
    const waiting = found.filter(({ state }) => !state || state.state === 'pending').length
    if (waiting === 0) return null
    return {
      reason: `Evaluation of the stored solutions is in progress: ${outside.length - waiting} of ${outside.length} done.`,
      remedy: 'Wait until the evaluation is finished; the entry is updated automatically.',
    }
  },
}
