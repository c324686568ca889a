import { type AgentTask, isHarbor } from '../suites/task-folder.ts'

type Needed = { level: 'bubblewrap' | 'docker'; why: string }

/**
 * Returns the isolation that tasks in Harbor's format need; null = any level, by default the strongest that is not
 * local.
 */
export function findNeeded(chosen: readonly AgentTask[]): Needed | null {
  const tasks = chosen.filter(isHarbor).map(({ task }) => task)
  for (const { taskId, place } of tasks)
    if (place.kind === 'image')
      return { level: 'docker', why: `${taskId} needs docker, because ${place.why}` }
  const [first] = tasks
  if (first === undefined) return null
  const why = `${first.taskId} works in paths such as /app and /tests, which only a sandbox can show`
  return { level: 'bubblewrap', why }
}
