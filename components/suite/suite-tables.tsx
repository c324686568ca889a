import type { SuiteVersion } from '#lib/domain/api/index.ts'
import type { TaskStatistics, VerifierErrors } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import { addMutations, type Task } from '#lib/domain/tasks/index.ts'
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatRowCounts,
  UNKNOWN,
  visibleText,
} from '../ui/format.ts'
import { FactList, ShortDigest } from '../ui/layout.tsx'
import { type DataColumn, DataTable } from '../ui/table.tsx'
import {
  formatCaught,
  formatMutationChecks,
  formatSurviving,
  formatTotals,
  mutationOf,
} from './format.ts'

/** A task's name, linked to its instruction and criteria. */
function taskLinkColumn(suiteId: string): DataColumn<{ taskId: string }> {
  return {
    head: 'Task',
    cell: ({ taskId }) => (
      <a
        className="link"
        href={`/suites/${encodeURIComponent(suiteId)}/tasks/${encodeURIComponent(taskId)}`}
      >
        {taskId}
      </a>
    ),
    rowHeader: 'font-medium',
    cellClass: 'untrusted h-9 py-1',
  }
}

const FACTS: readonly DataColumn<Task>[] = [
  { head: 'Title', cell: ({ title }) => title, className: 'max-sm:hidden', cellClass: 'untrusted' },
  {
    head: 'Category',
    cell: ({ category }) => category,
    className: '@max-[14rem]:hidden',
    cellClass: 'text-muted',
  },
  { head: 'Difficulty', cell: ({ difficulty }) => difficulty, cellClass: 'text-muted' },
]

/** Shown only if test quality was measured. */
const QUALITY: readonly DataColumn<Task>[] = [
  qualityColumn('Tests', 'max-md:hidden', (task) =>
    'expectedTests' in task ? formatCount(task.expectedTests.length) : UNKNOWN,
  ),
  qualityColumn('Wrong solutions caught', 'max-lg:hidden', (task) => {
    const mutation = mutationOf(task)
    return mutation ? formatCaught(mutation.wrongCaught, mutation.wrong) : UNKNOWN
  }),
  qualityColumn('Mutants caught', 'max-lg:hidden', (task) => {
    const mutation = mutationOf(task)
    if (!mutation) return UNKNOWN
    return formatCaught(mutation.compiled - mutation.surviving, mutation.compiled)
  }),
  qualityColumn('Mutants surviving', 'max-md:hidden', (task) => formatSurviving(mutationOf(task))),
]

function qualityColumn(
  head: string,
  className: string,
  cell: (task: Task) => string,
): DataColumn<Task> {
  return {
    head,
    className,
    cell,
    cellTitle: (task) => {
      const mutation = mutationOf(task)
      return mutation ? `Tested with ${formatMutationChecks(mutation)}` : 'Not measured'
    },
    numeric: true,
    cellClass: 'tabular-nums',
  }
}

type TaskTableProps = { suiteId: string; tasks: readonly Task[] }

/** The tasks of a suite with the quality of their tests, linked to their pages. */
export function TaskTable({ suiteId, tasks }: TaskTableProps) {
  const hasQuality = tasks.some((task) => mutationOf(task) !== null)
  return (
    <div className="@container">
      <DataTable
        caption="Tasks"
        cellClass="pr-2 sm:pr-4"
        columns={[taskLinkColumn(suiteId), ...FACTS, ...(hasQuality ? QUALITY : [])]}
        headClass="h-9 border-line-strong border-b bg-bg pr-2 text-muted text-xs sm:sticky sm:top-0 sm:pr-4"
        keyOf={({ taskId }) => taskId}
        rowProps={({ taskId }) => ({ id: taskId })}
        rows={tasks}
      />
    </div>
  )
}

const STATISTICS: readonly DataColumn<TaskLine>[] = [
  {
    head: 'Success rate',
    className: '@max-[14rem]:hidden',
    cell: ({ mean }) => (mean === null ? UNKNOWN : `${formatPercent(mean)} %`),
    numeric: true,
    cellClass: 'whitespace-nowrap tabular-nums',
  },
  {
    id: 'discrimination',
    // Large letters on a phone leave no room for the whole word.
    head: <>Discrimi&shy;nation</>,
    cell: formatDiscrimination,
    numeric: true,
    cellClass: 'tabular-nums',
  },
  {
    head: 'Entries',
    cell: ({ rows }) => formatCount(rows),
    numeric: true,
    className: 'max-sm:hidden',
    cellClass: 'tabular-nums',
  },
]

type TaskStatisticsTableProps = { suiteId: string; statistics: TaskStatistics }

/** How well each task discriminates between entries: lowest first; a message if there are too few. */
export function TaskStatisticsTable({ suiteId, statistics }: TaskStatisticsTableProps) {
  const { rows, fewestRows, tasks } = statistics
  if (rows < fewestRows) {
    return (
      <p className="max-w-3xl text-muted">
        Needs {countOf(fewestRows, 'entry')}; this suite has {formatCount(rows)}. Ranked entries and
        models run on this server count. Controls and entries with injected faults do not.
      </p>
    )
  }
  const ordered = [...tasks].sort((a, b) => orderOf(a) - orderOf(b))
  return (
    <>
      <p className="mb-2 max-w-3xl text-muted">
        {formatDead(statistics)} Discrimination is the correlation, over {countOf(rows, 'entry')},
        of success on a task with success on all other tasks: near 1, strong entries solve it and
        weak ones do not; below 0, weak entries solve it more often. With few entries it is rough.
      </p>
      <div className="@container">
        <DataTable
          caption="Tasks by discrimination"
          cellClass="pr-2 sm:pr-4"
          columns={[taskLinkColumn(suiteId), ...STATISTICS]}
          headClass="h-9 border-line-strong border-b pr-2 text-muted text-xs sm:pr-4"
          keyOf={({ taskId }) => taskId}
          rows={ordered}
        />
      </div>
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
  return `${countOf(all, 'task')} solved by every entry and ${formatCount(none)} by none; these do not discriminate.`
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
        : `Tested with visible tests, and with a held-out transcript for ${countOf(heldOut, 'task')}.`}
      {stale > 0 ? ` ${countOf(stale, 'task')} changed since the measurement.` : ''}
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
  const of = `${formatCount(failed)} of ${countOf(episodes, 'reference episode')} not solved`
  const interval = `95 % confidence interval ${formatInterval(low, high)}, Clopper–Pearson, for these tasks`
  return `${formatPercent(rate)} %: ${of} (${interval}; ${countOf(tasks, 'task')}, ${countOf(runs, 'run')} on this server)`
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
  const share = `${formatPercent(rate)} %: ${formatCount(surviving)} of ${countOf(mutants, 'mutant')} of ${countOf(tasks, 'task')} survive`
  const old = stale > 0 ? `; ${countOf(stale, 'task')} changed since` : ''
  return `${share}; ${formatCount(wrongPassed)} of ${countOf(wrong, 'wrong solution')} passed${old}`
}

type VersionListProps = { suiteId: string; versions: readonly SuiteVersion[] }

/** The versions of a suite with a board; rows of different versions are never ranked together. */
export function VersionList({ suiteId, versions }: VersionListProps) {
  return (
    <ul className="border-line border-b">
      {versions.map(({ digest, version, tasks, rows, controls, isCurrent }) => (
        <li
          className="flex min-h-9 flex-wrap items-center gap-x-5 gap-y-1 border-line border-t py-1"
          key={digest}
        >
          {version === undefined ? null : (
            <span className="untrusted min-w-16 font-medium">{visibleText(version)}</span>
          )}
          <ShortDigest digest={digest} />
          <span className="w-16">{isCurrent ? 'current' : 'earlier'}</span>
          <span className="text-muted">{countOf(tasks, 'task')}</span>
          <a
            className="link"
            href={`/?suite=${encodeURIComponent(suiteId)}${isCurrent ? '' : `&version=${digest}`}`}
          >
            {formatRowCounts({ rows, controls })} on the board
          </a>
        </li>
      ))}
    </ul>
  )
}
