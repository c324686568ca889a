import { areTestsOnline, ONLINE_TESTS } from '#lib/domain/tasks/index.ts'
import { findAlterable } from '../../repository/alter-tests.ts'
import type { LoadedRepository } from '../repository-folder.ts'
import { isRepository, type LoadedTask } from '../task-folder.ts'

const NO_VALUES =
  'None of its tests compares with a value: each is turned into its opposite instead, and a solution that tells most assertions from their opposites can report them as passed.'

/** What a reader of a task's results has to know although its proof holds, a sentence each. */
export function warningsOf(task: LoadedTask): string[] {
  return [
    ...(areTestsOnline(task.task) ? [ONLINE_TESTS] : []),
    ...(isRepository(task) && hasOppositesAlone(task) ? [NO_VALUES] : []),
  ]
}

function hasOppositesAlone({ tests }: LoadedRepository): boolean {
  return findAlterable(tests, { valuesAlone: true }).count === 0 && findAlterable(tests).count > 0
}
