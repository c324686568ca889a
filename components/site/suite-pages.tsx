import { type Board, taskStatistics } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import type { Suite, Task } from '#lib/domain/tasks/index.ts'
import { MutationSummary, TaskStatisticsNote, TaskTable } from '../suite/suite-tables.tsx'
import { TaskFacts } from '../suite/task-facts.tsx'
import { WhoSolves } from '../suite/task-standing.tsx'
import { visibleText } from '../ui/format.ts'
import { PageHeading, Section, ShortDigest } from '../ui/layout.tsx'

type SuitePageProps = { suite: Suite; board: Board | null }

/** A suite: its tasks, and how well they discriminate. */
export function SuitePage({ suite, board }: SuitePageProps) {
  const { suiteId, tasks, title, description, digest } = suite
  const statistics = taskStatistics(
    board?.rows ?? [],
    tasks.map(({ taskId }) => taskId),
  )
  return (
    <>
      <PageHeading title={visibleText(title)}>{visibleText(description)}</PageHeading>
      <p className="mb-4 flex flex-wrap gap-x-5 gap-y-1">
        <span>{countOf(tasks.length, 'task')}</span>
        <span>
          Digest <ShortDigest digest={digest} />
        </span>
        <a className="link" href={`/?${new URLSearchParams({ suite: suiteId })}`}>
          Leaderboard
        </a>
      </p>
      <TaskTable statistics={statistics} suiteId={suiteId} tasks={tasks} />
      <MutationSummary tasks={tasks} />
      <Section id="task-statistics" title="Task statistics">
        <TaskStatisticsNote statistics={statistics} />
      </Section>
    </>
  )
}

/** A task: who solves it, and how it is judged. */
export function TaskPage({ suite, board, task }: SuitePageProps & { task: Task }) {
  return (
    <>
      <PageHeading
        title={visibleText(task.title)}
        trail={
          <>
            <a className="link" href={`/suites/${suite.suiteId}`}>
              {visibleText(suite.title)}
            </a>{' '}
            / {task.taskId}
          </>
        }
      >
        {visibleText(task.category)}, {task.difficulty}
      </PageHeading>
      <WhoSolves rows={board?.rows ?? []} statistics={undefined} taskId={task.taskId} />
      <TaskFacts task={task} />
    </>
  )
}
