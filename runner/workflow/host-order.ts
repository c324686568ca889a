import type { LibraryOrder } from '../libraries/play-library.ts'
import { ACTION_TIMEOUT_MS } from './action-timeout.ts'
import type { WorkflowTurn } from './workflow-player.ts'

/** Which script is played: the task's own driver, one of its wrong ones, or a module of somebody else. */
export type Script = { driverPath: string; wrong: string | null }

type Turn = Pick<
  WorkflowTurn,
  'task' | 'origin' | 'endpoint' | 'webdriverPort' | 'files' | 'temporary'
>

/**
 * What a library's process is told. Between two libraries nothing of it may differ but the name, and the chromedriver
 * that some of them need.
 */
export function hostOrder(
  library: string,
  { task: { task }, origin, endpoint, webdriverPort, files, temporary }: Turn,
  script: Script,
): LibraryOrder {
  return {
    library,
    drive: { kind: 'scripted', ...script },
    ...{ endpoint, webdriverPort, origin, files },
    start: task.start,
    actionTimeoutMs: ACTION_TIMEOUT_MS,
    maxActions: task.budgets.maxActions,
    folder: temporary,
  }
}
