import { listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Seed: a failure under a fault means something only where the subject passes without it. */
export const faultBaselineRule: Rule = {
  code: 'fault-baseline',
  fromSeed: true,
  demand: () =>
    'For a stress row, the same subject version passes the same tasks without the fault.',
  check: ({ facts, context }) => {
    const faulted = facts.flatMap((fact) => (fact.fault === null ? [] : [fact.taskId]))
    const bare = new Set(faulted.filter((taskId) => !context.passedWithoutFault.has(taskId)))
    if (bare.size === 0) return null
    return {
      reason: `The same subject version has no pass without the fault on ${listNames(bare)}.`,
      remedy:
        'Run those tasks without the fault under the same settings; leave out those it cannot solve.',
    }
  },
}
