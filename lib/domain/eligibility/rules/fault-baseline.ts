import { listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Seed: a failure under a fault is meaningful only where the entry passes without the fault. */
export const faultBaselineRule: Rule = {
  code: 'fault-baseline',
  fromSeed: true,
  demand: () => 'For a stress entry, the same version passes the same tasks without the fault.',
  check: ({ facts, context }) => {
    const faulted = facts.flatMap((fact) => (fact.fault === null ? [] : [fact.taskId]))
    const bare = new Set(faulted.filter((taskId) => !context.passedWithoutFault.has(taskId)))
    if (bare.size === 0) return null
    return {
      reason: `The same version has not passed ${listNames(bare)} without the fault.`,
      remedy:
        'Run those tasks without the fault and with the same settings; omit tasks that it cannot solve.',
    }
  },
}
