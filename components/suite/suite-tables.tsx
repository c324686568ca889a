import type { SuiteVersion } from '#lib/domain/api/index.ts'
import {
  formatRowCounts,
  type TaskStatistics,
  type VerifierErrors,
} from '#lib/domain/board/index.ts'
import { addMutations, type Task } from '#lib/domain/tasks/index.ts'
import { countOf, pluralForm } from '#lib/domain/text/index.ts'
import { Table } from '../table/table.tsx'
import { countColumn } from '../ui/columns.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { formatCount, formatInterval, percentOf, UNKNOWN, visibleText } from '../ui/format.ts'
import { FactList, ShortDigest } from '../ui/layout.tsx'
import {
  formatCaught,
  formatMutationChecks,
  formatSurviving,
  formatTotals,
  mutationOf,
} from './format.ts'

type Line = { suiteId: string; task: Task; statistics: TaskLine | undefined }

const TASK_COLUMN: DataColumn<Line> = {
  head: 'Task',
  sort: ({ task }) => task.taskId,
  cell: ({ suiteId, task: { taskId } }) => (
    <a
      className="link"
      href={`/suites/${encodeURIComponent(suiteId)}/tasks/${encodeURIComponent(taskId)}`}
    >
      {taskId}
    </a>
  ),
  rowHeader: 'font-medium',
  cellClass: 'untrusted col-span-3',
}

const FACTS: readonly DataColumn<Line>[] = [
  {
    head: 'Title',
    sort: ({ task }) => task.title,
    cell: ({ task }) => task.title,
    cellClass: 'untrusted col-span-3',
  },
  {
    head: 'Category',
    sort: ({ task }) => task.category,
    facet: ({ task }) => task.category,
    cell: ({ task }) => task.category,
    cellClass: 'text-muted',
  },
  {
    head: 'Difficulty',
    sort: ({ task }) => ['easy', 'medium', 'hard'].indexOf(task.difficulty),
    csv: ({ task }) => task.difficulty,
    facet: ({ task }) => task.difficulty,
    cell: ({ task }) => task.difficulty,
    cellClass: 'text-muted',
  },
]

/** Shown only if enough entries tried the suite. */
const STATISTICS: readonly DataColumn<Line>[] = [
  {
    head: 'Success rate',
    name: 'Success rate, %',
    sort: ({ statistics }) => (statistics?.mean == null ? null : statistics.mean * 100),
    cell: ({ statistics }) => (statistics?.mean == null ? UNKNOWN : percentOf(statistics.mean)),
    numeric: true,
    cellClass: 'whitespace-nowrap',
  },
  {
    id: 'discrimination',
    name: 'Discrimination',
    // A soft hyphen, because the word is too long for a phone with large letters.
    head: <>Discrimi&shy;nation</>,
    sort: ({ statistics }) => (statistics ? orderOf(statistics) : null),
    csv: ({ statistics }) => statistics?.discrimination ?? statistics?.solvedBy ?? null,
    facet: ({ statistics }) => (statistics?.solvedBy ? `solved by ${statistics.solvedBy}` : null),
    cell: ({ statistics }) => (statistics ? formatDiscrimination(statistics) : UNKNOWN),
    numeric: true,
  },
  countColumn('Entries', ({ statistics }) => statistics?.rows ?? null),
]

/** Shown only if test quality was measured. */
const QUALITY: readonly DataColumn<Line>[] = [
  qualityColumn('Tests', {
    sort: ({ task }) => ('expectedTests' in task ? task.expectedTests.length : null),
    cell: ({ task }) =>
      'expectedTests' in task ? formatCount(task.expectedTests.length) : UNKNOWN,
  }),
  qualityColumn('Wrong solutions caught', {
    sort: ({ task }) => mutationOf(task)?.wrongCaught ?? null,
    cell: ({ task }) => {
      const mutation = mutationOf(task)
      return mutation ? formatCaught(mutation.wrongCaught, mutation.wrong) : UNKNOWN
    },
  }),
  qualityColumn('Mutants caught', {
    sort: ({ task }) => {
      const mutation = mutationOf(task)
      return mutation ? mutation.compiled - mutation.surviving : null
    },
    cell: ({ task }) => {
      const mutation = mutationOf(task)
      if (!mutation) return UNKNOWN
      return formatCaught(mutation.compiled - mutation.surviving, mutation.compiled)
    },
  }),
  qualityColumn('Mutants surviving', {
    sort: ({ task }) => mutationOf(task)?.surviving ?? null,
    cell: ({ task }) => formatSurviving(mutationOf(task)),
  }),
]

function qualityColumn(
  head: string,
  column: Pick<DataColumn<Line>, 'sort' | 'cell'>,
): DataColumn<Line> {
  return {
    ...column,
    head,
    descends: true,
    cellTitle: ({ task }) => {
      const mutation = mutationOf(task)
      return mutation ? `Tested with ${formatMutationChecks(mutation)}` : 'Not measured'
    },
    numeric: true,
  }
}

type TaskTableProps = { suiteId: string; tasks: readonly Task[]; statistics: TaskStatistics }

/** The tasks of a suite: how often they are solved, how well they discriminate, and how good their tests are. */
export function TaskTable({ suiteId, tasks, statistics }: TaskTableProps) {
  const hasQuality = tasks.some((task) => mutationOf(task) !== null)
  const hasStatistics = statistics.rows >= statistics.fewestRows
  const byTask = new Map(statistics.tasks.map((line) => [line.taskId, line]))
  return (
    <Table
      caption="Tasks"
      cards="lg"
      cellClass="lg:h-9 lg:py-1 lg:pr-4"
      columns={[
        TASK_COLUMN,
        ...FACTS,
        ...(hasStatistics ? STATISTICS : []),
        ...(hasQuality ? QUALITY : []),
      ]}
      headClass="h-9 border-line-strong border-b bg-bg pr-4 text-muted text-xs"
      keyOf={({ task }) => task.taskId}
      name="tasks"
      rowProps={({ task }) => ({
        className: 'grid-cols-3 gap-x-3 gap-y-1.5 border-line border-t py-3',
        id: task.taskId,
        'data-row': task.taskId,
      })}
      rows={tasks.map((task) => ({ suiteId, task, statistics: byTask.get(task.taskId) }))}
      stickyHead
      what="task"
    />
  )
}

/** Explains discrimination, and the number of entries that it is computed from; a message if there are too few. */
export function TaskStatisticsNote({ statistics }: { statistics: TaskStatistics }) {
  const { rows, fewestRows } = statistics
  if (rows < fewestRows) {
    return (
      <p className="max-w-3xl text-muted">
        Needs {countOf(fewestRows, 'entry')}; this suite has {formatCount(rows)}. Ranked entries and
        models run on this server count. Controls and entries with injected faults do not.
      </p>
    )
  }
  return (
    <p className="max-w-3xl text-muted">
      {formatDead(statistics)} Discrimination is the correlation, over {countOf(rows, 'entry')}, of
      success on a task with success on all other tasks: near 1, strong entries solve it and weak
      ones do not; below 0, weak entries solve it more often. With few entries it is rough.
    </p>
  )
}

type TaskLine = TaskStatistics['tasks'][number]

/** Non-discriminating tasks first, then by discrimination, then unknown; ties stay in suite order. */
function orderOf({ solvedBy, discrimination }: TaskLine): number {
  if (solvedBy === 'none') return -3
  if (solvedBy === 'all') return -2
  return discrimination ?? 2
}

function formatDead({ tasks, top }: TaskStatistics): string {
  const separating = top
    ? ` ${countOf(top.separating, 'task')} of ${formatCount(tasks.length)} ${pluralForm(top.separating, 'separates', 'separate')} the best ${countOf(top.rows, 'entry')}: their rates differ by half or more.`
    : ''
  return describeDead(tasks) + separating
}

function describeDead(tasks: TaskStatistics['tasks']): string {
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
  const interval = `95\u00a0% confidence interval ${formatInterval(low, high)}, Clopper–Pearson, for these tasks`
  return `${percentOf(rate)}: ${of} (${interval}; ${countOf(tasks, 'task')}, ${countOf(runs, 'run')} on this server)`
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
  const share = `${percentOf(rate)}: ${formatCount(surviving)} of ${countOf(mutants, 'mutant')} of ${countOf(tasks, 'task')} survive`
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
