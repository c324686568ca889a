import { BROWSER_FAULT_KINDS, browserFaultKindSchema } from '#lib/domain/record/index.ts'
import { faultsOf } from '#lib/domain/tasks/index.ts'
import { countOf, unknownName } from '#lib/domain/text/index.ts'
import { usageError } from '../runner-error.ts'
import type { LoadedWorkflow } from '../suites/task-folder.ts'

type RequestedFault = { fault?: string | undefined; tasks?: readonly string[] }

/**
 * Selects the tasks into which the plan's fault can be injected. Named tasks must all support it; of a whole suite the
 * others are skipped, with a notice.
 */
export function chooseFaultedTasks(
  { fault, tasks }: RequestedFault,
  wanted: readonly LoadedWorkflow[],
): { chosen: LoadedWorkflow[]; warnings: string[] } {
  if (fault === undefined) return { chosen: [...wanted], warnings: [] }
  const kind = browserFaultKindSchema.safeParse(fault)
  if (!kind.success)
    throw usageError(
      `--fault: ${unknownName('browser fault', fault, [...BROWSER_FAULT_KINDS])}`,
      '--fault',
    )
  const chosen = wanted.filter(({ task }) => task.faults[kind.data] !== undefined)
  const others = wanted.filter((task) => !chosen.includes(task))
  if (chosen.length === 0 || (tasks && others.length > 0)) {
    const [one] = others
    const takes = one ? faultsOf(one.task).join(', ') || 'none' : ''
    throw usageError(
      `--fault ${fault} cannot be injected into ${one?.task.taskId}, which supports ${takes}: choose other --tasks`,
      '--fault',
    )
  }
  const leftOut = `${fault} can be injected into ${chosen.length} of ${countOf(wanted.length, 'task')}; the others are left out`
  return { chosen, warnings: others.length > 0 ? [leftOut] : [] }
}
