import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { SuiteTabs } from '#components/board/board-page.tsx'
import { latestOf } from '#components/charts/build-figure.ts'
import { FigureView } from '#components/charts/figure-view.tsx'
import { reportFigure } from '#components/charts/report-figure.ts'
import { LibraryTable, loadReportView } from '#components/report/axis-list.tsx'
import { FaultMatrix } from '#components/report/fault-matrix.tsx'
import { describeFinding } from '#components/report/report-finding.ts'
import { ReportSections } from '#components/report/report-table.tsx'
import { Notice, PageHeading, Section } from '#components/ui/layout.tsx'
import type { ChartScale } from '#lib/domain/api/index.ts'
import { type Board, entryStyles } from '#lib/domain/board/index.ts'
import { AXES, AXIS_ROLES, type AxisReport, buildAxisReport } from '#lib/domain/reports/index.ts'
import { chooseBoard, getLibraryFacts } from '#lib/server/board/board.ts'

export const dynamic = 'force-dynamic'

type ReportPageProps = {
  params: Promise<{ axis: string }>
  searchParams: Promise<SearchParams>
}

const findAxis = (slug: string) => AXES.find((axis) => axis.slug === slug)

export async function generateMetadata({ params }: ReportPageProps): Promise<Metadata> {
  const axis = findAxis((await params).axis)
  return axis ? { title: axis.title, description: axis.why } : { title: 'Not found' }
}

/** One report of one suite. */
export default async function ReportPage({ params, searchParams }: ReportPageProps) {
  const axis = findAxis((await params).axis)
  if (!axis) return notFound()
  const { suite, scale } = loadReportView(await searchParams)
  const { suites, suiteId, board } = await chooseBoard(suite)
  if (suiteId !== null && !board) return notFound()
  const facts = suiteId === null ? null : await getLibraryFacts(suiteId)
  return (
    <>
      <PageHeading
        title={axis.title}
        trail={
          <a
            className="link"
            href={suiteId === null ? '/reports' : `/reports?suite=${encodeURIComponent(suiteId)}`}
          >
            Reports
          </a>
        }
      >
        {axis.why}
      </PageHeading>
      <p className="mb-4 text-muted">
        {axis.letters.length > 0 ? `Axis ${axis.letters.join(' and ')} · ` : ''}
        {AXIS_ROLES[axis.role]} ·{' '}
        <a className="link" href={`/methodology/measurement#axis-${axis.slug}`}>
          Methodology
        </a>
      </p>
      <SuiteTabs current={suiteId} path={`/reports/${axis.slug}`} suites={suites} />
      {board ? (
        <ReportBody board={board} report={buildAxisReport(axis, board, facts)} scale={scale} />
      ) : (
        <NoSuite />
      )}
    </>
  )
}

type ReportBodyProps = { board: Board; report: AxisReport; scale: ChartScale }

function ReportBody({ board, report, scale }: ReportBodyProps) {
  const { claims, others, supportingOnly, absent, notes, suite, faults, libraries } = report
  const finding = describeFinding(report)
  return (
    <>
      {finding ? <p className="untrusted max-w-4xl font-medium text-base">{finding}</p> : null}
      {supportingOnly ? <p className="max-w-4xl text-base">{supportingOnly}</p> : null}
      <ReportSections report={report} />
      {faults ? (
        <Section aside="Never ranked" id="faults" title="By fault and task">
          <FaultMatrix groups={faults} suiteId={suite.suiteId} />
        </Section>
      ) : null}
      {libraries ? (
        <Section
          aside="Measured separately from episodes"
          id="libraries"
          title="Library measurements"
        >
          <LibraryTable table={libraries} />
        </Section>
      ) : null}
      <ReportFigure board={board} report={report} scale={scale} />
      {absent.length > 0 ? <Lines id="absent" lines={absent} title="Missing data" /> : null}
      {notes.length > 0 ? <Lines id="notes" lines={notes} title="Notes" /> : null}
      {claims.length + others.length > 0 || libraries ? <Downloads report={report} /> : null}
    </>
  )
}

function ReportFigure({ board, report, scale }: ReportBodyProps) {
  const figure = reportFigure(report, { scale, styles: entryStyles(board.rows) })
  if (!figure) return null
  return (
    <Section id="chart" title="Chart">
      <FigureView
        figure={figure}
        query={{ suite: report.suite.suiteId, chart: report.axis.slug }}
        source={{ suite: board.suite, updated: latestOf(board.rows) }}
      />
    </Section>
  )
}

function Lines({ id, title, lines }: { id: string; title: string; lines: readonly string[] }) {
  return (
    <Section id={id} title={title}>
      <ul className="max-w-4xl space-y-1 text-base text-muted">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Section>
  )
}

function Downloads({ report: { axis, suite } }: { report: AxisReport }) {
  const path = `/api/v1/reports/${axis.slug}?suite=${encodeURIComponent(suite.suiteId)}`
  return (
    <p className="mt-8 flex flex-wrap gap-x-4 text-muted">
      Exact values with bounds and sample sizes:
      <a className="link" download href={`${path}&format=csv`}>
        CSV
      </a>
      <a className="link" download href={`${path}&format=markdown`}>
        Markdown
      </a>
      <a className="link" href={path}>
        JSON
      </a>
    </p>
  )
}

function NoSuite() {
  return (
    <Notice title="No suite is installed">
      <p>Suites are loaded from the exercises folder when the server starts.</p>
    </Notice>
  )
}
