import { countOf, listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Seed: recovery counts only where the fault really happened. */
export const faultFiredRule: Rule = {
  code: 'fault-fired',
  fromSeed: true,
  demand: () => 'In a stress entry, the planned fault fired in every counted episode.',
  check: ({ facts }) => {
    const quiet = facts.filter((fact) => fact.fault !== null && !fact.fault.fired)
    if (quiet.length === 0) return null
    return {
      reason: `The planned fault did not fire in ${countOf(quiet.length, 'episode')} (tasks: ${listNames(quiet.map((fact) => fact.taskId))}).`,
      remedy:
        'Move the injection point to a step that is always reached, and rerun those episodes.',
    }
  },
}
