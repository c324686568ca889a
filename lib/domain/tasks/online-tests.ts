import { mayUseNetwork } from './repository-task.ts'
import { kindOf, type Task } from './task.ts'

/** Warning shown with the results of such a task. */
export const ONLINE_TESTS =
  'The tests run with a network: a solution can send them to another machine while it is judged, which then knows them and can tell changed tests from others.'

/** True if a solution is judged together with its tests in a place with network access. */
export function areTestsOnline(task: Task): boolean {
  const known = kindOf(task)
  if (known.kind === 'repository') return mayUseNetwork(known.task, 'verify')
  return known.kind === 'harbor' && known.task.verifier.network === 'on'
}
