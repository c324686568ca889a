import { formatCount } from '#components/format/number.ts'
import { FactList } from '#components/ui/fact-list.tsx'
import type { TaskMutation } from '#lib/domain/mutation.ts'
import { formatCaught, formatJudges, formatSurviving } from './format-mutation.ts'

/** How well the tests of one exercise tell wrong solutions from right ones. */
export function MutationFacts({ mutation }: { mutation: TaskMutation }) {
  const { mutants, compiled, caughtByVisible, caughtByHeldOut, surviving, wrong, wrongCaught } =
    mutation
  const heldOut =
    caughtByHeldOut === null
      ? []
      : [
          {
            name: 'Held-out transcript',
            value: `${formatCaught(caughtByHeldOut, compiled)} caught`,
          },
        ]
  return (
    <>
      <p className="mb-2 max-w-3xl text-muted">
        A mutant is the reference with one small mistake. Some survivors behave exactly like the
        reference, so no test can catch them.
        {mutation.isStale ? ' The task changed since this was measured.' : ''}
      </p>
      <FactList
        facts={[
          { name: 'Wrong solutions', value: `${formatCaught(wrongCaught, wrong)} caught` },
          {
            name: 'Mutants',
            value: `${formatCount(mutants)}, of which ${formatCount(compiled)} compile and count`,
          },
          { name: 'Visible tests', value: `${formatCaught(caughtByVisible, compiled)} caught` },
          ...heldOut,
          {
            name: 'Surviving',
            value: `${formatCount(surviving)}, ${formatSurviving(mutation)}`,
          },
          { name: 'Judged by', value: formatJudges(mutation) },
        ]}
      />
    </>
  )
}
