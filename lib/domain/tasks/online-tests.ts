import { type Task, taskKind } from './task.ts'

/** Warning shown with the results of such a task. */
export const ONLINE_TESTS =
  'The tests run with a network: a solution can send them to another machine while it is judged, which then knows them and can tell changed tests from others.'

/** True if a solution is judged together with its tests in a place with network access. */
export function areTestsOnline(task: Task): boolean {
  return taskKind(task).areTestsOnline(task)
}
