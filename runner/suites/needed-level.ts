import type { NeededLevel } from './for-agents.ts'
import type { AgentTask } from './task-folder.ts'

/** Returns the level that the tasks need; null = any level, by default the strongest that is not local. */
export function findNeeded(chosen: readonly AgentTask[]): NeededLevel | null {
  const needed = chosen.flatMap((task) => task.forAgents.neededLevel(task) ?? [])
  return needed.find(({ level }) => level === 'docker') ?? needed[0] ?? null
}
