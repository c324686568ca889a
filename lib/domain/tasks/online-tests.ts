import { mayUseNetwork } from './repository-task.ts'
import { kindOf, type Task } from './task.ts'

/** What a reader of such a task's results has to know. */
export const ONLINE_TESTS =
  'The tests run with a network: a solution can send them to another machine while it is judged, which then knows them and can tell changed tests from others.'

/** Whether a solution is judged beside its tests in a place with a network. */
export function areTestsOnline(task: Task): boolean {
  const known = kindOf(task)
  if (known.kind === 'repository') return mayUseNetwork(known.task, 'verify')
  return known.kind === 'harbor' && known.task.verifier.network === 'on'
}
