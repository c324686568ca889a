import type { EpisodeFact } from '../../board/episode-fact.ts'
import { digestTests } from '../../board/origin-fact.ts'
import type { EligibilityContext } from '../eligibility-context.ts'
import { listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** Seed: identical task definitions and success criteria for every compared entry. */
export const sameContractRule: Rule = {
  code: 'same-contract',
  fromSeed: true,
  demand: () =>
    'Every compared entry ran the same version of every task and was judged by all tests of the task, matched by name.',
  check: ({ facts, context }) => {
    const digests = new Map(context.suiteTasks.map((task) => [task.taskId, task.digest]))
    const other = facts.filter((fact) => digests.get(fact.taskId) !== fact.taskDigest)
    if (other.length === 0) return testsComplaint(facts, context)
    return {
      reason: `These tasks were run in a different version: ${listNames(other.map((fact) => fact.taskId))}.`,
      remedy: 'Rerun those tasks with the suite version of this board.',
    }
  },
}

function testsComplaint(
  facts: readonly EpisodeFact[],
  { suiteTasks }: EligibilityContext,
): Complaint | null {
  const judged = facts.filter(({ origin }) => origin?.tests)
  if (judged.length === 0) return null
  const own = new Map(
    suiteTasks.map(({ taskId, expectedTests = [] }) => [
      taskId,
      { count: expectedTests.length, digest: digestTests(expectedTests) },
    ]),
  )
  const other = judged.filter(({ taskId, status, origin }) => {
    const tests = own.get(taskId)
    if (!origin?.tests || !tests || tests.count === 0) return false
    if (origin.tests.expected !== tests.count) return true
    return status === 'solved' && origin.tests.passed !== tests.digest
  })
  if (other.length === 0) return null
  return {
    reason: `${other.length} of ${facts.length} episodes were not judged by the suite's tests (tasks: ${listNames(other.map((fact) => fact.taskId))}).`,
    remedy: 'Rerun those tasks with the unmodified suite.',
  }
}
