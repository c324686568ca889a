import { areTestsOnline, ONLINE_TESTS } from '#lib/domain/tasks/index.ts'
import { isAgentTask, type LoadedTask } from '../task-folder.ts'

/** Lists facts that a reader of a task's results needs although its proof is valid, a sentence each. */
export function warningsOf(task: LoadedTask): string[] {
  return [
    ...(areTestsOnline(task.task) ? [ONLINE_TESTS] : []),
    ...(isAgentTask(task) ? task.forAgents.warnings(task) : []),
  ]
}

const MAX_NAMES = 8

/** Lists the warnings of all tasks, each sentence once with the tasks that it is about. */
export function listWarnings(tasks: readonly LoadedTask[]): string[] {
  const names = new Map<string, string[]>()
  for (const task of tasks)
    for (const warning of warningsOf(task))
      names.set(warning, [...(names.get(warning) ?? []), task.task.taskId])
  return [...names].map(([warning, of]) => {
    const more = of.length > MAX_NAMES ? ` and ${of.length - MAX_NAMES} more` : ''
    return `${of.slice(0, MAX_NAMES).join(', ')}${more}: ${warning}`
  })
}
