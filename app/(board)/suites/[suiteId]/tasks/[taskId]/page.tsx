import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { formatReleased } from '#components/suite/format.ts'
import { TaskFacts } from '#components/suite/task-facts.tsx'
import { LatestEpisodes, TaskTextsView, WhoSolves } from '#components/suite/task-standing.tsx'
import { visibleText } from '#components/ui/format.ts'
import { PageHeading } from '#components/ui/layout.tsx'
import { describeGrading } from '#lib/domain/tasks/index.ts'
import { getBoard } from '#lib/server/board/board.ts'
import { getSuite, getTask } from '#lib/server/board/suites.ts'
import { readTaskTexts } from '#lib/server/board/task-texts.ts'
import { listEpisodes } from '#lib/server/runs/episodes.ts'

export const dynamic = 'force-dynamic'

type TaskPageProps = { params: Promise<{ suiteId: string; taskId: string }> }

const LATEST = 12

const readTask = cache(getTask)

export async function generateMetadata({ params }: TaskPageProps): Promise<Metadata> {
  const { suiteId, taskId } = await params
  const found = await readTask(suiteId, taskId)
  return { title: found ? visibleText(found.task.title) : 'Not found' }
}

/** One task: instruction, stub, who solves it, success criteria and latest episodes. */
export default async function TaskPage({ params }: TaskPageProps) {
  const { suiteId, taskId } = await params
  const found = await readTask(suiteId, taskId)
  if (!found) return notFound()
  const { suite, task } = found
  const [texts, view, board, { items }] = await Promise.all([
    readTaskTexts(suiteId, task),
    getSuite(suiteId),
    getBoard(suiteId),
    listEpisodes({ suiteId, taskId: task.taskId }, { after: null, limit: LATEST }),
  ])
  const statistics = view?.taskStatistics?.tasks.find((one) => one.taskId === task.taskId)
  const grading = describeGrading(task)
  return (
    <>
      <PageHeading
        title={visibleText(task.title)}
        trail={
          <>
            <a className="link" href="/suites">
              Tasks
            </a>{' '}
            /{' '}
            <a className="link" href={`/suites/${suiteId}`}>
              {visibleText(suite.title)}
            </a>{' '}
            / {task.taskId}
          </>
        }
      >
        {visibleText(task.category)}, {task.difficulty}
        {grading ? ` · graded by ${grading}` : ''}
        {task.released ? ` · ${formatReleased([task]).toLowerCase()}` : ''}
      </PageHeading>
      <WhoSolves rows={board?.rows ?? []} statistics={statistics} taskId={task.taskId} />
      <TaskTextsView texts={texts} />
      <TaskFacts task={task} />
      <LatestEpisodes episodes={items} />
    </>
  )
}
