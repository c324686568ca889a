import type { ChartScale } from '#lib/domain/api/index.ts'
import { type Board, type EntryStyle, entryStyles } from '#lib/domain/board/index.ts'
import {
  AXIS_ROLES,
  type Axis,
  type AxisReport,
  buildAxisReport,
  buildAxisReports,
  type LibraryFacts,
  SUPPORTING_ONLY,
} from '#lib/domain/reports/index.ts'
import { type ListedSuite, SuiteTabs } from '../board/board-page.tsx'
import { latestOf } from '../charts/build-figure.ts'
import { FigureView } from '../charts/figure-view.tsx'
import { reportFigure } from '../charts/report-figure.ts'
import { PageHeading, Section } from '../ui/layout.tsx'
import { Notice } from '../ui/notice.tsx'
import { AxisList, describeFinding, LibraryTable } from './axis-list.tsx'
import { FaultMatrix } from './fault-matrix.tsx'
import { ReportSections } from './report-table.tsx'

type ReportsPageProps = {
  suites: readonly ListedSuite[]
  /** Null = no suite is installed. */
  suiteId: string | null
  board: Board | null
  /** Measurements of libraries apart from episodes; null = none. */
  facts: LibraryFacts | null
}

/** All reports of one suite. */
export function ReportsPage({ suites, suiteId, board, facts }: ReportsPageProps) {
  const reports = board ? buildAxisReports(board, facts) : []
  return (
    <>
      <PageHeading title="Reports">
        Results of a suite on each axis. Task completion is the primary axis; the others explain it.{' '}
        <a className="link" href="/methodology/measurement#reports">
          How to read reports
        </a>
      </PageHeading>
      <SuiteTabs current={suiteId} path="/reports" suites={suites} />
      {suiteId === null ? <NoSuite /> : null}
      {reports.some(({ supportingOnly }) => supportingOnly !== null) ? (
        <p className="mb-4 max-w-4xl text-base">{SUPPORTING_ONLY}</p>
      ) : null}
      {reports.length > 0 ? <AxisList reports={reports} /> : null}
    </>
  )
}

type ReportPageProps = ReportsPageProps & { axis: Axis; scale: ChartScale }

/** One report of one suite. */
export function ReportPage({ axis, suites, suiteId, board, facts, scale }: ReportPageProps) {
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
  const styles = entryStyles(board.rows)
  return (
    <>
      {finding ? <p className="untrusted max-w-4xl font-medium text-base">{finding}</p> : null}
      {supportingOnly ? <p className="max-w-4xl text-base">{supportingOnly}</p> : null}
      <ReportSections report={report} styles={styles} />
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
      <ReportFigure board={board} report={report} scale={scale} styles={styles} />
      {absent.length > 0 ? <Lines id="absent" lines={absent} title="Missing data" /> : null}
      {notes.length > 0 ? <Lines id="notes" lines={notes} title="Notes" /> : null}
      {claims.length + others.length > 0 || libraries ? <Downloads report={report} /> : null}
    </>
  )
}

type ReportFigureProps = ReportBodyProps & { styles: ReadonlyMap<string, EntryStyle> }

function ReportFigure({ board, report, scale, styles }: ReportFigureProps) {
  const figure = reportFigure(report, { scale, styles })
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
