import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { plural } from '#components/format/number.ts'
import { formatReleased } from '#components/suite/format-released.ts'
import { MutationSummary } from '#components/suite/mutation-summary.tsx'
import { TaskStatisticsTable } from '#components/suite/task-statistics-table.tsx'
import { TaskTable } from '#components/suite/task-table.tsx'
import { VerifierErrorFacts } from '#components/suite/verifier-error-facts.tsx'
import { VersionList } from '#components/suite/version-list.tsx'
import { PageHeading } from '#components/ui/page-heading.tsx'
import { Section } from '#components/ui/section.tsx'
import { ShortDigest } from '#components/ui/short-digest.tsx'
import { getBoard } from '#lib/board/get-board.ts'
import { findSuiteOf } from '#lib/board/get-suite.ts'
import { listVersions } from '#lib/board/list-versions.ts'
import { taskStatistics } from '#lib/domain/board/task-statistics.ts'
import { verifierErrors } from '#lib/domain/board/verifier-errors.ts'
import { describeSuiteGrading } from '#lib/domain/describe-grading.ts'

export const dynamic = 'force-dynamic'

type SuitePageProps = { params: Promise<{ suiteId: string }> }

const readBoard = cache((suiteId: string) => getBoard(suiteId))

export async function generateMetadata({ params }: SuitePageProps): Promise<Metadata> {
  const board = await readBoard((await params).suiteId)
  return { title: board ? board.suite.title : 'Not found' }
}

/** One suite: its tasks and its identity. */
export default async function SuitePage({ params }: SuitePageProps) {
  const { suiteId } = await params
  const [board, current] = await Promise.all([readBoard(suiteId), findSuiteOf(suiteId)])
  if (!board || !current) notFound()
  const { suite, rows } = board
  const grading = describeSuiteGrading(current.tasks)
  const versions = await listVersions(suite.suiteId)
  return (
    <>
      <PageHeading
        title={suite.title}
        trail={
          <Link className="link" href="/suites">
            Suites
          </Link>
        }
      >
        {suite.description}
      </PageHeading>
      <p className="mb-4 flex flex-wrap gap-x-5 gap-y-1">
        <span>{plural(suite.tasks.length, 'task')}</span>
        <span>
          Digest <ShortDigest digest={suite.digest} />
        </span>
        <span>{formatReleased(current.tasks)}</span>
        {grading ? <span className="untrusted">Graded by {grading}</span> : null}
        <Link className="link" href={`/?suite=${encodeURIComponent(suite.suiteId)}`}>
          {plural(rows.length, 'row')} on its board
        </Link>
      </p>
      <TaskTable suiteId={suite.suiteId} tasks={current.tasks} />
      <MutationSummary tasks={current.tasks} />
      <Section id="verifier-errors" title="Verifier error rate">
        <VerifierErrorFacts errors={verifierErrors(rows, current.tasks)} />
      </Section>
      <Section id="task-statistics" title="Task statistics">
        <TaskStatisticsTable
          statistics={taskStatistics(
            rows,
            current.tasks.map(({ taskId }) => taskId),
          )}
          suiteId={suite.suiteId}
        />
      </Section>
      {versions.length > 1 ? (
        <Section id="versions" title="Versions">
          <VersionList suiteId={suite.suiteId} versions={versions} />
        </Section>
      ) : null}
    </>
  )
}
