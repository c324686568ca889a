import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { formatReleased } from '#components/suite/format.ts'
import { ExerciseFacts, WorkflowView } from '#components/suite/task-facts.tsx'
import { visibleText } from '#components/ui/format.ts'
import { PageHeading } from '#components/ui/layout.tsx'
import { describeGrading, isWorkflow } from '#lib/domain/tasks/index.ts'
import { getTask } from '#lib/server/board/suites.ts'

export const dynamic = 'force-dynamic'

type TaskPageProps = { params: Promise<{ suiteId: string; taskId: string }> }

const readTask = cache(getTask)

export async function generateMetadata({ params }: TaskPageProps): Promise<Metadata> {
  const { suiteId, taskId } = await params
  const found = await readTask(suiteId, taskId)
  return { title: found ? visibleText(found.task.title) : 'Not found' }
}

/** One task: instruction, limits and success criteria. */
export default async function TaskPage({ params }: TaskPageProps) {
  const { suiteId, taskId } = await params
  const found = await readTask(suiteId, taskId)
  if (!found) notFound()
  const { suite, task } = found
  const grading = describeGrading(task)
  return (
    <>
      <PageHeading
        title={visibleText(task.title)}
        trail={
          <>
            <Link className="link" href="/suites">
              Suites
            </Link>{' '}
            /{' '}
            <Link className="link" href={`/suites/${suiteId}`}>
              {visibleText(suite.title)}
            </Link>{' '}
            / {task.taskId}
          </>
        }
      >
        {visibleText(task.category)}, {task.difficulty}
        {grading ? ` · graded by ${grading}` : ''}
        {task.released ? ` · ${formatReleased([task]).toLowerCase()}` : ''}
      </PageHeading>
      {isWorkflow(task) ? <WorkflowView workflow={task} /> : <ExerciseFacts exercise={task} />}
    </>
  )
}
