import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { FigureChart } from '#components/charts/figure-chart.tsx'
import { discriminationChart } from '#components/charts/task-charts.ts'
import { formatReleased } from '#components/suite/format.ts'
import { ModelledRows } from '#components/suite/modelled-rows.tsx'
import {
  MutationSummary,
  TaskStatisticsNote,
  TaskTable,
  VerifierErrorFacts,
  VersionList,
} from '#components/suite/suite-tables.tsx'
import { formatRowCounts, visibleText } from '#components/ui/format.ts'
import { PageHeading, Section, ShortDigest } from '#components/ui/layout.tsx'
import { countControls, taskStatistics, verifierErrors } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import { describeSuiteGrading } from '#lib/domain/tasks/index.ts'
import { getBoard } from '#lib/server/board/board.ts'
import { findSuiteOf, listModelledRows, listVersions } from '#lib/server/board/suites.ts'

export const dynamic = 'force-dynamic'

type SuitePageProps = { params: Promise<{ suiteId: string }> }

const readBoard = cache((suiteId: string) => getBoard(suiteId))

export async function generateMetadata({ params }: SuitePageProps): Promise<Metadata> {
  const board = await readBoard((await params).suiteId)
  return { title: board ? board.suite.title : 'Not found' }
}

/** One suite: tasks, test quality and versions. */
export default async function SuitePage({ params }: SuitePageProps) {
  const { suiteId } = await params
  const [board, current] = await Promise.all([readBoard(suiteId), findSuiteOf(suiteId)])
  if (!board || !current) return notFound()
  const { suite, rows } = board
  const grading = describeSuiteGrading(current.tasks)
  const statistics = taskStatistics(
    rows,
    current.tasks.map(({ taskId }) => taskId),
  )
  const [versions, modelled] = await Promise.all([
    listVersions(suite.suiteId),
    listModelledRows(suite.suiteId),
  ])
  const chart =
    statistics.rows < statistics.fewestRows ? null : discriminationChart(suite.suiteId, statistics)
  return (
    <>
      <PageHeading
        title={suite.title}
        trail={
          <a className="link" href="/suites">
            Tasks
          </a>
        }
      >
        {suite.description}
      </PageHeading>
      <p className="mb-4 flex flex-wrap gap-x-5 gap-y-1">
        <span>{countOf(suite.tasks.length, 'task')}</span>
        <span className="untrusted">Version {visibleText(current.version)}</span>
        <span>
          Digest <ShortDigest digest={suite.digest} />
        </span>
        <span>{formatReleased(current.tasks)}</span>
        {grading ? <span className="untrusted">Graded by {grading}</span> : null}
        <a className="link" href={`/?suite=${encodeURIComponent(suite.suiteId)}`}>
          {formatRowCounts({ rows: rows.length, controls: countControls(rows) })} on the board
        </a>
      </p>
      <TaskTable statistics={statistics} suiteId={suite.suiteId} tasks={current.tasks} />
      <MutationSummary tasks={current.tasks} />
      {chart ? (
        <Section id="task-chart" title="Success and discrimination">
          <p className="max-w-3xl text-muted">
            Tasks at the top tell strong entries from weak ones. Not shown: tasks that all entries
            solve, or none.
          </p>
          <FigureChart chart={chart} />
        </Section>
      ) : null}
      <Section id="verifier-errors" title="Verifier error rate">
        <VerifierErrorFacts errors={verifierErrors(rows, current.tasks)} />
      </Section>
      <Section id="task-statistics" title="Task statistics">
        <TaskStatisticsNote statistics={statistics} />
      </Section>
      <ModelledRows rows={modelled} />
      {versions.length > 1 ? (
        <Section id="versions" title="Versions">
          <VersionList suiteId={suite.suiteId} versions={versions} />
        </Section>
      ) : null}
    </>
  )
}
