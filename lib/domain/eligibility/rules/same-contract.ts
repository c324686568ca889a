import { listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Seed: the same task definitions and contracts for every compared subject. */
export const sameContractRule: Rule = {
  code: 'same-contract',
  fromSeed: true,
  demand: () => 'Every compared subject ran the same version of every task.',
  check: ({ facts, context }) => {
    const digests = new Map(context.suiteTasks.map((task) => [task.taskId, task.digest]))
    const other = facts.filter((fact) => digests.get(fact.taskId) !== fact.taskDigest)
    if (other.length === 0) return null
    return {
      reason: `Another version of these tasks was run than by the compared rows: ${listNames(other.map((fact) => fact.taskId))}.`,
      remedy: 'Run those tasks again with the suite version of this board.',
    }
  },
}
