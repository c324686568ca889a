import type { ReactNode } from 'react'
import {
  type BoardRow,
  countRows,
  formatRowCounts,
  taskStatistics,
  verifierErrors,
} from '#lib/domain/board/index.ts'
import {
  describeGrading,
  describeSuiteGrading,
  type Suite,
  type Task,
} from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { visibleText } from '../ui/format.ts'
import { PageHeading, Section, ShortDigest } from '../ui/layout.tsx'
import { formatReleased } from './format.ts'
import {
  MutationSummary,
  TaskStatisticsNote,
  TaskTable,
  VerifierErrorFacts,
} from './suite-tables.tsx'
import { TaskFacts } from './task-facts.tsx'
import { WhoSolves } from './task-standing.tsx'

type SuiteViewProps = {
  suite: Suite
  /** Rows of its board. */
  rows: readonly BoardRow[]
  /** Shown below the tasks. */
  chart?: ReactNode
  /** Shown at the end. */
  children?: ReactNode
}

/** A suite: its tasks, and how well they discriminate. */
export function SuiteView({ suite, rows, chart, children }: SuiteViewProps) {
  const { suiteId, tasks, title, description, digest, version } = suite
  const grading = describeSuiteGrading(tasks)
  const statistics = statisticsOf(suite, rows)
  return (
    <>
      <PageHeading title={visibleText(title)} trail={<TasksLink />}>
        {visibleText(description)}
      </PageHeading>
      <p className="mb-4 flex flex-wrap gap-x-5 gap-y-1">
        <span>{countOf(tasks.length, 'task')}</span>
        <span className="untrusted">Version {visibleText(version)}</span>
        <span>
          Digest <ShortDigest digest={digest} />
        </span>
        <span>{formatReleased(tasks)}</span>
        {grading ? <span className="untrusted">Graded by {visibleText(grading)}</span> : null}
        <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}`}>
          {formatRowCounts(countRows(rows))} on the board
        </a>
      </p>
      <TaskTable statistics={statistics} suiteId={suiteId} tasks={tasks} />
      <MutationSummary tasks={tasks} />
      {chart}
      <Section id="verifier-errors" title="Verifier error rate">
        <VerifierErrorFacts errors={verifierErrors(rows, tasks)} />
      </Section>
      <Section id="task-statistics" title="Task statistics">
        <TaskStatisticsNote statistics={statistics} />
      </Section>
      {children}
    </>
  )
}

/** Returns the statistics of the tasks of a suite. */
export function statisticsOf({ tasks }: Suite, rows: readonly BoardRow[]) {
  return taskStatistics(
    rows,
    tasks.map(({ taskId }) => taskId),
  )
}

function TasksLink() {
  return (
    <a className="link" href="/suites">
      Tasks
    </a>
  )
}

type TaskViewProps = {
  task: Task
  suite: Pick<Suite, 'suiteId' | 'title'>
  rows: readonly BoardRow[]
  statistics: Parameters<typeof WhoSolves>[0]['statistics']
  /** Shown below the entries that tried the task. */
  chart?: ReactNode
  texts?: ReactNode
  /** Shown at the end. */
  children?: ReactNode
}

/** A task: who solves it, and how it is judged. */
export function TaskView(props: TaskViewProps) {
  const { task, suite, rows, statistics, chart, texts, children } = props
  const grading = describeGrading(task)
  return (
    <>
      <PageHeading
        title={visibleText(task.title)}
        trail={
          <>
            <TasksLink /> /{' '}
            <a className="link" href={`/suites/${suite.suiteId}`}>
              {visibleText(suite.title)}
            </a>{' '}
            / {task.taskId}
          </>
        }
      >
        {visibleText(task.category)}, {task.difficulty}
        {grading ? ` · graded by ${visibleText(grading)}` : ''}
        {task.released ? ` · ${formatReleased([task]).toLowerCase()}` : ''}
      </PageHeading>
      <WhoSolves rows={rows} statistics={statistics} taskId={task.taskId} />
      {chart}
      {texts}
      <TaskFacts task={task} />
      {children}
    </>
  )
}
