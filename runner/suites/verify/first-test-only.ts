import type { Gate } from '../../contracts/exercise/gate-types.ts'
import { gateInput } from '../complete-task.ts'
import type { LoadedExercise, SourceText } from '../task-folder.ts'
import { instrument } from './instrument.ts'

/**
 * Builds the control that catches a harness which runs only the first test: the reference, cut off right after what
 * the first test needs. Null when no such cut exists, because the first test enters no function of the solution.
 */
export async function buildFirstTestOnly(
  task: LoadedExercise,
  gate: Gate,
): Promise<readonly SourceText[] | null> {
  const { default: typescript } = await import('typescript-gate')
  const rewrite = (mode: Parameters<typeof instrument>[2]) =>
    task.reference.map((file) => instrument(typescript, file, mode))
  const counted = await gate.evaluate({
    ...gateInput(task, rewrite({ kind: 'count' }), null),
    onlyFirstTest: true,
    probe: true,
  })
  const entries = counted.tests.probeMax
  if (entries === null || entries === 0) return null
  return rewrite({ kind: 'limit', entries })
}
