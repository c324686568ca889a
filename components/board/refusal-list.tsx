import Link from 'next/link'
import type { Refusal } from '#lib/domain/board/board-row.ts'

/** The evidence rules that an entry does not meet, each with its fix. */
export function RefusalList({ refusals }: { refusals: readonly Refusal[] }) {
  return (
    <ol className="space-y-2">
      {refusals.map(({ code, reason, remedy }) => (
        <li className="border-line-strong border-l-2 pl-3" key={`${code} ${reason}`}>
          <p className="untrusted">
            <Link
              className="link mr-2 font-mono text-muted text-xs"
              href={`/methodology#gate-${code}`}
              prefetch={false}
            >
              {code}
            </Link>
            {reason}
          </p>
          <p className="untrusted text-muted">Fix: {remedy}</p>
        </li>
      ))}
    </ol>
  )
}
