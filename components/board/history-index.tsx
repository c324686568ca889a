import { formatCount, UNKNOWN, visibleText } from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'
import { DataTable } from '../ui/table.tsx'

type Subject = { name: string; model: string | null; rows: number }

type HistoryIndexProps = {
  suites: readonly { suiteId: string; suiteTitle: string; subjects: readonly Subject[] }[]
}

/** Links to the available histories, by suite. */
export function HistoryIndex({ suites }: HistoryIndexProps) {
  const lists = suites.map(({ suiteId, suiteTitle, subjects }) => (
    <Section id={`suite-${suiteId}`} key={suiteId} title={visibleText(suiteTitle)}>
      <DataTable
        cellClass="px-2.5 py-2"
        className="w-full table-fixed border-line border-b"
        columns={[
          {
            head: 'Entry',
            cell: ({ name, model }: Subject) => (
              <a
                className="untrusted font-semibold hover:underline"
                href={historyAddress(suiteId, name, model)}
              >
                {visibleText(name)}
              </a>
            ),
          },
          {
            head: 'Model',
            cell: ({ model }: Subject) => visibleText(model ?? UNKNOWN),
            cellClass: 'untrusted',
          },
          {
            head: 'Entries now',
            title: 'Entries on the current version of the suite',
            cell: ({ rows }: Subject) => formatCount(rows),
            headClass: 'w-24',
            numeric: true,
          },
        ]}
        headClass="border-line-strong border-b px-2.5 py-2 text-muted text-xs"
        keyOf={({ name, model }) => `${name} ${model ?? ''}`}
        rows={subjects}
      />
    </Section>
  ))
  return <div className="grid items-start gap-x-10 lg:grid-cols-2">{lists}</div>
}

function historyAddress(suite: string, subject: string, model: string | null): string {
  const query = new URLSearchParams({ suite, subject, ...(model === null ? {} : { model }) })
  return `/history?${query}`
}
