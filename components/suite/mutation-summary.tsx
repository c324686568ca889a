import { plural } from '#components/format/number.ts'
import { addMutations } from '#lib/domain/mutation.ts'
import type { Task } from '#lib/domain/task.ts'
import { formatTotals, mutationOf } from './format-mutation.ts'

/** How good the tests of a suite are; nothing where that was not measured. */
export function MutationSummary({ tasks }: { tasks: readonly Task[] }) {
  const measured = tasks.map(mutationOf).filter((mutation) => mutation !== null)
  if (measured.length === 0) return null
  const heldOut = measured.filter(({ caughtByHeldOut }) => caughtByHeldOut !== null).length
  const stale = measured.filter(({ isStale }) => isStale).length
  return (
    <p className="mt-2 max-w-3xl text-muted">
      {formatTotals(addMutations(measured))} A mutant is the reference with one small mistake, such
      as <code className="text-xs">&lt;</code> instead of <code className="text-xs">&lt;=</code>.
      Mutants that do not compile are not counted; some survivors behave exactly like the reference.{' '}
      {heldOut === 0
        ? 'Judged by visible tests only.'
        : `Judged by visible tests, and by a held-out transcript for ${plural(heldOut, 'task')}.`}
      {stale > 0 ? ` ${plural(stale, 'task')} changed since the measurement.` : ''}
    </p>
  )
}
