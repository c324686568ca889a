import Link from 'next/link'
import type { SuiteVersion } from '#lib/domain/api/suite-view.ts'
import type { TaskStatistics, VerifierErrors } from '#lib/domain/board/task-statistics.ts'
import { addMutations, isWorkflow, type Task } from '#lib/domain/tasks/task.ts'
import { formatCount, formatInterval, formatPercent, plural, UNKNOWN } from '../ui/format.ts'
import { FactList, ShortDigest } from '../ui/layout.tsx'
import { formatCaught, formatJudges, formatSurviving, formatTotals, mutationOf } from './format.ts'

type Column = { name: string; className: string }

const FACTS: readonly Column[] = [
  { name: 'Task', className: 'text-left' },
  { name: 'Title', className: 'text-left max-sm:hidden' },
  { name: 'Category', className: 'text-left' },
  { name: 'Difficulty', className: 'text-left' },
]
/** Shown only if test quality was measured. */
const QUALITY: readonly Column[] = [
  { name: 'Tests', className: 'text-right max-md:hidden' },
  { name: 'Wrong solutions caught', className: 'text-right max-lg:hidden' },
  { name: 'Mutants caught', className: 'text-right max-lg:hidden' },
  { name: 'Mutants surviving', className: 'text-right max-md:hidden' },
]

type TaskTableProps = { suiteId: string; tasks: readonly Task[] }

/** The tasks of a suite with the quality of their tests, linked to their pages. */
export function TaskTable({ suiteId, tasks }: TaskTableProps) {
  const hasQuality = tasks.some((task) => mutationOf(task) !== null)
  const columns = hasQuality ? [...FACTS, ...QUALITY] : FACTS
  return (
    <table className="w-full border-line border-b">
      <caption className="sr-only">Tasks</caption>
      <thead>
        <tr className="text-muted text-xs">
          {columns.map(({ name, className }) => (
            <th
              className={`h-9 border-line-strong border-b bg-bg pr-4 font-normal sm:sticky sm:top-0 ${className}`}
              key={name}
              scope="col"
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <tr className="border-line border-t" id={task.taskId} key={task.taskId}>
            <th className="untrusted h-9 pr-4 text-left font-medium" scope="row">
              <Link
                className="link"
                href={`/suites/${encodeURIComponent(suiteId)}/tasks/${encodeURIComponent(task.taskId)}`}
                prefetch={false}
              >
                {task.taskId}
              </Link>
            </th>
            <td className="untrusted pr-4 max-sm:hidden">{task.title}</td>
            <td className="pr-4 text-muted">{task.category}</td>
            <td className="pr-4 text-muted">{task.difficulty}</td>
            {hasQuality ? <QualityCells task={task} /> : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function QualityCells({ task }: { task: Task }) {
  const mutation = mutationOf(task)
  const cells = [
    isWorkflow(task) ? UNKNOWN : formatCount(task.expectedTests.length),
    mutation ? formatCaught(mutation.wrongCaught, mutation.wrong) : UNKNOWN,
    mutation ? formatCaught(mutation.compiled - mutation.surviving, mutation.compiled) : UNKNOWN,
    formatSurviving(mutation),
  ]
  const title = mutation ? `Tested with ${formatJudges(mutation)}` : 'Not measured'
  return QUALITY.map(({ name, className }, place) => (
    <td className={`pr-4 tabular-nums ${className}`} key={name} title={title}>
      {cells[place]}
    </td>
  ))
}

const HEAD = [
  { name: 'Task', className: 'text-left' },
  { name: 'Success rate', className: 'text-right' },
  { name: 'Discrimination', className: 'text-right' },
  { name: 'Entries', className: 'text-right max-sm:hidden' },
]

type TaskStatisticsTableProps = { suiteId: string; statistics: TaskStatistics }

/** How well each task discriminates between rows: lowest first; a message if there are too few rows. */
export function TaskStatisticsTable({ suiteId, statistics }: TaskStatisticsTableProps) {
  const { rows, fewestRows, tasks } = statistics
  if (rows < fewestRows) {
    return (
      <p className="max-w-3xl text-muted">
        Not enough entries: {formatCount(rows)} of {formatCount(fewestRows)}. Ranked entries and
        models run on this server count; controls and entries with injected faults do not.
      </p>
    )
  }
  const ordered = [...tasks].sort((a, b) => orderOf(a) - orderOf(b))
  return (
    <>
      <p className="mb-2 max-w-3xl text-muted">
        {formatDead(statistics)} Discrimination is the correlation between success on a task and
        success on all other tasks over {plural(rows, 'entry', 'entries')}. Near 1, strong entries
        solve the task and weak ones do not; below 0, weak entries solve it more often. With few
        entries it is a rough estimate.
      </p>
      <table className="w-full border-line border-b">
        <caption className="sr-only">Tasks by discrimination</caption>
        <thead>
          <tr className="text-muted text-xs">
            {HEAD.map(({ name, className }) => (
              <th
                className={`h-9 border-line-strong border-b pr-4 font-normal ${className}`}
                key={name}
                scope="col"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.map((task) => (
            <tr className="border-line border-t" key={task.taskId}>
              <th className="untrusted h-9 pr-4 text-left font-medium" scope="row">
                <Link
                  className="link"
                  href={`/suites/${encodeURIComponent(suiteId)}/tasks/${encodeURIComponent(task.taskId)}`}
                  prefetch={false}
                >
                  {task.taskId}
                </Link>
              </th>
              <td className="whitespace-nowrap pr-4 text-right tabular-nums">
                {task.mean === null ? UNKNOWN : `${formatPercent(task.mean)} %`}
              </td>
              <td className="pr-4 text-right tabular-nums">{formatDiscrimination(task)}</td>
              <td className="pr-4 text-right tabular-nums max-sm:hidden">
                {formatCount(task.rows)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

type TaskLine = TaskStatistics['tasks'][number]

/** Non-discriminating tasks first, then by discrimination, then unknown; ties stay in suite order. */
function orderOf({ solvedBy, discrimination }: TaskLine): number {
  if (solvedBy === 'none') return -3
  if (solvedBy === 'all') return -2
  return discrimination ?? 2
}

function formatDead({ tasks }: TaskStatistics): string {
  const counts = (what: TaskLine['solvedBy']) =>
    tasks.filter(({ solvedBy }) => solvedBy === what).length
  const [all, none] = [counts('all'), counts('none')]
  if (all + none === 0) return 'Every task is solved by some entries and not by others.'
  return `${plural(all, 'task')} solved by every entry and ${formatCount(none)} by none; these do not discriminate.`
}

function formatDiscrimination({ solvedBy, discrimination }: TaskLine): string {
  if (solvedBy === 'all') return 'none: solved by all'
  if (solvedBy === 'none') return 'none: solved by none'
  return discrimination === null ? UNKNOWN : discrimination.toFixed(2).replace('-', '−')
}

/** Test quality of a suite; renders nothing if not measured. */
export function MutationSummary({ tasks }: { tasks: readonly Task[] }) {
  const measured = tasks.map(mutationOf).filter((mutation) => mutation !== null)
  if (measured.length === 0) return null
  const heldOut = measured.filter(({ caughtByHeldOut }) => caughtByHeldOut !== null).length
  const stale = measured.filter(({ isStale }) => isStale).length
  return (
    <p className="mt-2 max-w-3xl text-muted">
      {formatTotals(addMutations(measured))} A mutant is the reference with one small bug, such as{' '}
      <code className="text-xs">&lt;</code> instead of <code className="text-xs">&lt;=</code>.
      Mutants that do not compile are not counted. Some survivors behave exactly like the reference.{' '}
      {heldOut === 0
        ? 'Tested with visible tests only.'
        : `Tested with visible tests, and with a held-out transcript for ${plural(heldOut, 'task')}.`}
      {stale > 0 ? ` ${plural(stale, 'task')} changed since the measurement.` : ''}
    </p>
  )
}

/** Error rates of the suite's verifier: rejected references and accepted mutants. */
export function VerifierErrorFacts({ errors }: { errors: VerifierErrors }) {
  return (
    <>
      <p className="mb-2 max-w-3xl text-muted">
        A rejected correct solution is a false negative; an accepted wrong solution is a false
        positive. Runs of the reference solutions measure false negatives. Mutants of the references
        estimate false positives; some mutants behave exactly like the reference.
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
  if (!found) return 'not measured: this server has no runs of the references'
  const { failed, episodes, rate, low, high, runs, tasks } = found
  const of = `${formatCount(failed)} of ${plural(episodes, 'reference run')} not solved`
  const interval = `95 % confidence interval ${formatInterval(low, high)}, Clopper–Pearson, for these tasks`
  return `${formatPercent(rate)} %: ${of} (${interval}; ${plural(tasks, 'task')}, ${plural(runs, 'run')} on this server)`
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

type VersionListProps = { suiteId: string; versions: readonly SuiteVersion[] }

/** The versions of a suite with a board; rows of different versions are never ranked together. */
export function VersionList({ suiteId, versions }: VersionListProps) {
  return (
    <ul className="border-line border-b">
      {versions.map(({ digest, tasks, rows, isCurrent }) => (
        <li
          className="flex min-h-9 flex-wrap items-center gap-x-5 gap-y-1 border-line border-t py-1"
          key={digest}
        >
          <ShortDigest digest={digest} />
          <span className="w-16">{isCurrent ? 'current' : 'earlier'}</span>
          <span className="text-muted">{plural(tasks, 'task')}</span>
          <Link
            className="link"
            href={`/?suite=${encodeURIComponent(suiteId)}${isCurrent ? '' : `&version=${digest}`}`}
            prefetch={false}
          >
            {plural(rows, 'entry', 'entries')} on the board
          </Link>
        </li>
      ))}
    </ul>
  )
}
