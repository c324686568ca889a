import Link from 'next/link'
import { plural } from '#components/format/number.ts'
import { AXIS_ROLES } from '#lib/domain/axes/axes.ts'
import type { AxisReport } from '#lib/domain/axes/axis-report.ts'
import { countFigures } from '#lib/domain/axes/build-axis-report.ts'
import { countMeasured } from '#lib/domain/axes/library-table.ts'

/** One line an axis: letters, title, role, and how many rows have figures. */
export function AxisList({ reports }: { reports: readonly AxisReport[] }) {
  return (
    <ul className="border-line border-b">
      {reports.map((report) => {
        const { axis, suite } = report
        return (
          <li
            className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 border-line border-t py-2 sm:min-h-9 lg:grid-cols-[2.5rem_minmax(0,24rem)_minmax(0,1fr)_8rem] lg:items-baseline"
            key={axis.slug}
          >
            <span className="font-mono text-muted text-xs leading-5">
              {axis.letters.join('/') || <span aria-hidden="true">·</span>}
            </span>
            <Link
              className="link justify-self-start font-medium"
              href={`/reports/${axis.slug}?suite=${encodeURIComponent(suite.suiteId)}`}
              prefetch={false}
            >
              {axis.title}
            </Link>
            <span className="text-muted max-lg:col-start-2">{AXIS_ROLES[axis.role]}</span>
            <span className="max-lg:col-start-2 lg:text-right">
              {sayFigures(report) ?? <span className="text-muted">no figures</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function sayFigures(report: AxisReport): string | null {
  const rows = countFigures(report)
  if (rows > 0) return plural(rows, 'row')
  const libraries = report.libraries ? countMeasured(report.libraries) : 0
  return libraries > 0 ? plural(libraries, 'library', 'libraries') : null
}
