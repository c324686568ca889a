import { formatCount, formatInterval, formatPercent, plural } from '#components/format/number.ts'
import { FactList } from '#components/ui/fact-list.tsx'
import type { VerifierErrors } from '#lib/domain/board/verifier-errors.ts'

/** How often the suite's verifier is wrong: references it does not pass, and mistakes that it does. */
export function VerifierErrorFacts({ errors }: { errors: VerifierErrors }) {
  return (
    <>
      <p className="mb-2 max-w-3xl text-muted">
        A correct solution that is not passed is a false negative; a wrong one that is passed is a
        false positive. Runs of the tasks’ own references measure the first. Mistakes planted in the
        references stand in for the second; some of them behave exactly like the reference.
      </p>
      <FactList
        facts={[
          { name: 'False negatives', value: formatFalseNegatives(errors) },
          ...failingFact(errors),
          { name: 'False positives', value: formatFalsePositives(errors) },
        ]}
      />
    </>
  )
}

function formatFalseNegatives({ falseNegatives: found }: VerifierErrors): string {
  if (!found) return 'not measured: this server has no run of the references'
  const { failed, episodes, rate, low, high, runs, tasks } = found
  const of = `${formatCount(failed)} of ${plural(episodes, 'reference run')} not solved`
  const interval = `95 % interval ${formatInterval(low, high)}, Clopper–Pearson, for these tasks`
  return `${formatPercent(rate)} %: ${of} (${interval}; ${plural(tasks, 'task')}, ${plural(runs, 'run')} of this server)`
}

function failingFact({ falseNegatives }: VerifierErrors) {
  const failing = falseNegatives?.failing ?? []
  if (failing.length === 0) return []
  const named = failing.map(
    ({ taskId, failed, episodes }) => `${taskId} (${failed} of ${episodes})`,
  )
  return [{ name: 'Not solved', value: named.join(', ') }]
}

function formatFalsePositives({ falsePositives: found }: VerifierErrors): string {
  if (!found) return 'not measured: no mutants of these tasks'
  const { surviving, mutants, rate, wrong, wrongPassed, tasks, stale } = found
  const share = `${formatPercent(rate)} %: ${formatCount(surviving)} of ${plural(mutants, 'mutant')} of ${plural(tasks, 'task')} survive`
  const old = stale > 0 ? `; ${plural(stale, 'task')} changed since` : ''
  return `${share}; ${formatCount(wrongPassed)} of ${plural(wrong, 'wrong solution')} passed${old}`
}
