import { BROWSER_FAULT_KINDS, browserFaultKindSchema } from '#lib/domain/browser/browser-fault.ts'
import { faultsOf } from '#lib/domain/browser/workflow.ts'
import { unknownName } from '#lib/domain/nearest-names.ts'
import { parseFault } from '../gateway/faults/parse-fault.ts'
import type { LoadedWorkflow } from '../suites/task-folder.ts'
import { UsageError } from './cli-error.ts'
import { complain } from './output.ts'

type Asked = { fault?: string | undefined; tasks?: readonly string[] }

/**
 * The tasks into which the plan's fault can be broken. Tasks that were named must all take it; of a whole suite the
 * others are left out, and said so.
 */
export function chooseFaultedTasks(
  { fault, tasks }: Asked,
  wanted: readonly LoadedWorkflow[],
): LoadedWorkflow[] {
  if (fault === undefined) return [...wanted]
  const kind = browserFaultKindSchema.safeParse(fault)
  if (!kind.success)
    throw new UsageError(
      `--fault: ${unknownName('browser fault', fault, [...BROWSER_FAULT_KINDS])}`,
    )
  const taking = wanted.filter(({ task }) => task.faults[kind.data] !== undefined)
  const others = wanted.filter((task) => !taking.includes(task))
  if (taking.length === 0 || (tasks && others.length > 0)) {
    const [one] = others
    const takes = one ? faultsOf(one.task).join(', ') || 'none' : ''
    throw new UsageError(
      `--fault ${fault} cannot be injected into ${one?.task.taskId}, which supports ${takes}: choose other --tasks`,
    )
  }
  if (others.length > 0)
    complain(
      `${fault} can be injected into ${taking.length} of ${wanted.length} tasks; the others are left out`,
    )
  return taking
}

/** Throws a UsageError for a fault that no gateway knows. */
export function refuseUnknownFault(fault: string): void {
  const parsed = parseFault(fault)
  if (!parsed.ok) throw new UsageError(`--fault: ${parsed.problem}`)
}
