import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { toChartEntries } from '#components/charts/figure.ts'
import { taskTimeChart } from '#components/charts/task-charts.ts'
import { TaskView } from '#components/suite/suite-view.tsx'
import { TableChart } from '#components/suite/table-chart.tsx'
import { LatestEpisodes, TaskTextsView } from '#components/suite/task-standing.tsx'
import { visibleText } from '#components/ui/format.ts'
import { rankPoolOf } from '#lib/domain/board/index.ts'
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
  const chart = board && taskTimeChart(task.taskId, toChartEntries(board.rows, rankPoolOf))
  return (
    <TaskView
      chart={
        board && (
          <TableChart
            board={board}
            chart={chart}
            note="Higher and further left is better."
            path={`/suites/${encodeURIComponent(suiteId)}/tasks/${encodeURIComponent(taskId)}`}
            point="entry"
            title="Time and success"
          />
        )
      }
      rows={board?.rows ?? []}
      statistics={statistics}
      suite={suite}
      task={task}
      texts={<TaskTextsView texts={texts} />}
    >
      <LatestEpisodes episodes={items} />
    </TaskView>
  )
}
