import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { discriminationChart } from '#components/charts/task-charts.ts'
import { ModelledRows } from '#components/suite/modelled-rows.tsx'
import { VersionList } from '#components/suite/suite-tables.tsx'
import { SuiteView, statisticsOf } from '#components/suite/suite-view.tsx'
import { TableChart } from '#components/suite/table-chart.tsx'
import { Section } from '#components/ui/layout.tsx'
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
  const statistics = statisticsOf(current, board.rows)
  const [versions, modelled] = await Promise.all([listVersions(suiteId), listModelledRows(suiteId)])
  const chart =
    statistics.rows < statistics.fewestRows ? null : discriminationChart(suiteId, statistics)
  return (
    <SuiteView
      chart={
        <TableChart
          board={board}
          chart={chart}
          note="Tasks at the top tell strong entries from weak ones. Not shown: tasks that all entries solve, or none."
          path={`/suites/${encodeURIComponent(suiteId)}`}
          point="task"
          title="Success and discrimination"
        />
      }
      rows={board.rows}
      suite={current}
    >
      <ModelledRows rows={modelled} versions={versions} />
      {versions.length > 1 ? (
        <Section id="versions" title="Versions">
          <VersionList suiteId={suiteId} versions={versions} />
        </Section>
      ) : null}
    </SuiteView>
  )
}
