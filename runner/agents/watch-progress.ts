import { countNoProgress } from '#lib/domain/no-progress.ts'
import type { SubjectTurn } from '../controls/subject-driver.ts'
import { isDropping } from '../phases/is-dropping.ts'
import { stampWorkspace } from '../phases/stamp-workspace.ts'
import type { Gateway } from './gateway-port.ts'
import { watchWorkspace } from './watch-workspace.ts'

export type NoProgress = ReturnType<typeof countNoProgress>

/**
 * Watches an agent at its gateway and in its workspace; the answer ends the watching, once the gateway is closed, and tells
 * the no-progress signals.
 */
export async function watchProgress(
  gateway: Pick<Gateway, 'onStep' | 'toolSteps'>,
  { task, workspace }: Pick<SubjectTurn, 'task' | 'workspace'>,
  droppings: readonly string[],
): Promise<() => Promise<NoProgress>> {
  // A file of the task is work, also where the agent's program leaves its own.
  const isIgnored = (path: string) =>
    isDropping(path, droppings) && !task.template.some((file) => file.path.startsWith(path))
  const watch = await watchWorkspace(() => stampWorkspace(workspace, isIgnored))
  gateway.onStep(watch.stepEnded)
  return async () => {
    const changes = await watch.finish()
    const steps = gateway.toolSteps().map((calls, index) => ({
      calls,
      workspaceChanged: changes[index] ?? null,
    }))
    return countNoProgress(steps)
  }
}
