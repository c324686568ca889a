import { commonest } from '../../evaluation/evaluated-here.ts'
import { needsEvaluation } from '../../evaluation/fold-evaluations.ts'
import { countOf, listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Nobody's word is enough: what ran elsewhere counts once this server has judged the stored solution itself. */
export const evaluatedHereRule: Rule = {
  code: 'evaluated-here',
  fromSeed: false,
  demand: () =>
    'The stored solution of every episode that ran elsewhere was evaluated here by the suite’s own tests, with the same verdict; a browser workflow cannot be, and rests on its sender.',
  check: ({ facts, context: { evaluations } }) => {
    if (evaluations === null) return null
    const outside = facts.filter(needsEvaluation)
    const found = outside.map((fact) => ({ fact, state: evaluations.get(fact.episodeId) }))
    const other = found.filter(({ state }) => state?.state === 'disagreed')
    if (other.length > 0)
      return {
        reason: `Evaluating the stored solutions here gave another verdict for ${countOf(other.length, 'episode')} (tasks: ${listNames(other.map(({ fact }) => fact.taskId))}).`,
        remedy: 'Find out why the two verifiers disagree, then run those episodes again.',
      }
    const impossible = found.filter(({ state }) => state?.state === 'impossible')
    const why = commonest(impossible.flatMap(({ state }) => state?.reason ?? []))
    if (why !== undefined)
      return {
        reason: `${impossible.length} of ${countOf(outside.length, 'episode')} from elsewhere cannot count: ${why}.`,
        remedy:
          'Send the whole run folder with its evidence to a server that has this suite and bubblewrap, or run the episodes there.',
      }
    const waiting = found.filter(({ state }) => !state || state.state === 'pending').length
    if (waiting === 0) return null
    return {
      reason: `The stored solutions are being evaluated here: ${outside.length - waiting} of ${outside.length} done.`,
      remedy: 'Wait: the worker evaluates them one after another, and the row follows by itself.',
    }
  },
}
