import { POLICY } from '#lib/domain/eligibility/index.ts'
import { areTestsOnline, ONLINE_TESTS } from '#lib/domain/tasks/index.ts'
import { findAlterable } from '../../repository/alter-tests.ts'
import { withOwnCanary } from '../../repository/canary.ts'
import { leastGuess } from '../../repository/guess.ts'
import type { LoadedRepository } from '../repository-folder.ts'
import { isRepository, type LoadedTask } from '../task-folder.ts'

/** Lists facts that a reader of a task's results needs although its proof is valid, a sentence each. */
export function warningsOf(task: LoadedTask): string[] {
  return [
    ...(areTestsOnline(task.task) ? [ONLINE_TESTS] : []),
    ...(isRepository(task) ? warningsOfGuess(task) : []),
  ]
}

function warningsOfGuess({ tests, canary }: LoadedRepository): string[] {
  const alterable = findAlterable(withOwnCanary(tests, canary))
  const guess = leastGuess(alterable.tests.map(({ values }) => values))
  if (guess <= POLICY.mostGuess) return []
  return [
    `Too few of its tests compare with values that can be changed: work that does nothing of it can pass by guessing, once in ${Math.round(1 / guess)}, so no entry with it is ranked.`,
  ]
}
