import { areTestsOnline, ONLINE_TESTS } from '#lib/domain/tasks/index.ts'
import { isAgentTask, type LoadedTask } from '../task-folder.ts'

/** Lists facts that a reader of a task's results needs although its proof is valid, a sentence each. */
export function warningsOf(task: LoadedTask): string[] {
  return [
    ...(areTestsOnline(task.task) ? [ONLINE_TESTS] : []),
    ...(isAgentTask(task) ? task.forAgents.warnings(task) : []),
  ]
}
