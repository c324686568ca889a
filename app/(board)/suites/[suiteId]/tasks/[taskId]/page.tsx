import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { visibleText } from '#components/format/visible-text.ts'
import { ExerciseFacts } from '#components/suite/exercise-facts.tsx'
import { formatReleased } from '#components/suite/format-released.ts'
import { WorkflowView } from '#components/suite/workflow-view.tsx'
import { PageHeading } from '#components/ui/page-heading.tsx'
import { getTask } from '#lib/board/get-task.ts'
import { describeGrading } from '#lib/domain/describe-grading.ts'
import { isWorkflow } from '#lib/domain/task.ts'

export const dynamic = 'force-dynamic'

type TaskPageProps = { params: Promise<{ suiteId: string; taskId: string }> }

const readTask = cache(getTask)

export async function generateMetadata({ params }: TaskPageProps): Promise<Metadata> {
  const { suiteId, taskId } = await params
  const found = await readTask(suiteId, taskId)
  return { title: found ? visibleText(found.task.title) : 'Not found' }
}

/** One task: what is asked, within which limits, and what has to hold at the end. */
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
