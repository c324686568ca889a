import { plural } from '#components/format/number.ts'
import { Section } from '#components/ui/section.tsx'
import type { AxisReport } from '#lib/domain/axes/axis-report.ts'
import { reportSections } from '#lib/domain/axes/report-sections.ts'
import { ReportTable } from './report-table.tsx'

/** A report's rows, claims first, each section with rows that may be read beside each other. */
export function ReportSections({ report }: { report: AxisReport }) {
  return reportSections(report).map(({ id, title, isClaim, rows }) => (
    <Section
      aside={isClaim ? plural(rows.length, 'row') : 'Shown with their labels, never ranked'}
      id={id}
      key={id}
      title={title}
    >
      <ReportTable
        caption={isClaim ? title : title.replace('Not claims', 'Rows that are no claims')}
        columns={report.columns}
        rows={rows}
        suiteId={report.suite.suiteId}
      />
    </Section>
  ))
}
