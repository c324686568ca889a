import os from 'node:os'
import { needsSandbox, type Plan } from '#lib/domain/record/index.ts'
import { formatBytes } from '#lib/domain/text/index.ts'
import type { DeclaredLimit, Levels } from '../suites/for-agents.ts'
import { isAgentTask, type LoadedTask } from '../suites/task-folder.ts'

/**
 * Explains why the memory that a plan or its tasks declare cannot be limited here, in one sentence that says what to
 * do: the level limits no memory, or this machine has less. Null = it can be.
 */
export function refusePlanLimits(
  { settings, subject, tasks }: Pick<Plan, 'settings' | 'subject' | 'tasks'>,
  loaded: readonly LoadedTask[],
  judging: Levels['judging'],
): string | null {
  const agent = needsSandbox(subject) ? settings.isolation : null
  const ofPlan = { part: 'the agent', bytes: settings.memoryBytes, level: agent }
  const planned = new Set(tasks.map(({ taskId }) => taskId))
  const own = loaded.filter(({ task }) => planned.has(task.taskId))
  const refusals = own.map((task) => refuseTaskLimits(task, { agent, judging }))
  return [refuse('--memory', ofPlan), ...refusals].find((one) => one !== null) ?? null
}

/** Like `refusePlanLimits`, for one task. */
export function refuseTaskLimits(task: LoadedTask, levels: Levels): string | null {
  const by = `task ${task.task.taskId}`
  const declared = isAgentTask(task) ? task.forAgents.declaredLimits(task, levels) : []
  return declared.flatMap((one) => refuse(by, one) ?? [])[0] ?? null
}

function refuse(by: string, { part, bytes, level }: DeclaredLimit): string | null {
  if (bytes === undefined || level === null) return null
  const what = `${by} limits the memory of ${part} to ${formatBytes(bytes)}`
  if (level === 'local')
    return `${what}, and isolation local cannot limit memory: use bubblewrap or docker, or remove the limit`
  const total = os.totalmem()
  if (bytes <= total) return null
  return `${what}, and this machine has ${formatBytes(total)}: use a larger machine, or lower the limit`
}
