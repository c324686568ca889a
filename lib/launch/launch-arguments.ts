import { chooseTasks } from '#lib/domain/launch/check-launch.ts'
import type { LaunchChoices } from '#lib/domain/launch/launch-choices.ts'
import type { LaunchRequest } from '#lib/domain/launch/parse-launch.ts'

/** The options by which the runner's `plan` freezes this very request; each value is one argument, never a shell's. */
export function launchArguments(request: LaunchRequest, choices: LaunchChoices): string[] {
  const { suiteId, subject, provider, model, repetitions, pins, isolation, fault, isCold } = request
  const { timeoutMs, maxSteps, maxTokens, maxCostMicroUsd, temperature } = pins
  const options: Record<string, string | number | null> = {
    '--suite': suiteId,
    '--subject': subject,
    '--provider': provider,
    '--model': model,
    '--tasks': namedTasks(request, choices)?.join(',') ?? null,
    '--repetitions': repetitions,
    '--timeout': timeoutMs / 1000,
    '--max-steps': maxSteps,
    '--max-tokens': maxTokens,
    '--max-cost': maxCostMicroUsd === null ? null : (maxCostMicroUsd / 1e6).toFixed(6),
    '--temperature': temperature,
    '--isolation': isolation === 'auto' ? null : isolation,
    '--fault': fault,
    '--browser': isCold ? 'cold' : null,
  }
  return Object.entries(options).flatMap(([name, value]) =>
    value === null ? [] : [name, String(value)],
  )
}

/** The runner knows no categories: a part of a suite is told to it by name. Null = all tasks. */
function namedTasks(request: LaunchRequest, { suite }: LaunchChoices): string[] | null {
  if (request.tasks) return request.tasks
  if (request.category === null || !suite) return null
  return chooseTasks(request, suite.tasks).map(({ taskId }) => taskId)
}
