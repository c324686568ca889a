import type { ReactNode } from 'react'
import { formatInstant } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { ArrowKeys } from '#components/ui/arrow-keys.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { describeAction } from '#lib/domain/ledger/describe-action.ts'
import type { LedgerEntry } from '#lib/domain/ledger/ledger-entry.ts'
import type { LedgerView } from '#lib/domain/views/ledger-view.ts'
import { EntryTarget } from './entry-target.tsx'
import { LEDGER_WORDS } from './ledger-words.ts'

const HEAD = ['Entry', 'Time', 'What', 'Target', 'Reason', 'By', 'Hash'] as const
type Column = (typeof HEAD)[number]

/** Entries, newest first: lines on a wide screen, cards on a narrow one. Each can be linked to as `#entry-12`. */
export function LedgerTable({ entries, rows }: Pick<LedgerView, 'entries' | 'rows'>) {
  return (
    <ArrowKeys>
      <table className="block w-full border-line border-b lg:table">
        <caption className="sr-only">Ledger entries, newest first</caption>
        <thead className="sr-only lg:not-sr-only lg:sticky lg:top-0 lg:z-10 lg:table-header-group">
          <tr>
            {HEAD.map((name) => (
              <th
                className={classNames(
                  'h-9 border-line-strong border-b bg-bg px-2.5 font-normal text-muted text-xs',
                  name === 'Entry' ? 'text-right' : 'text-left',
                )}
                key={name}
                scope="col"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block lg:table-row-group">
          {entries.map((entry) => (
            <EntryLine entry={entry} key={entry.sequence} rows={rows} />
          ))}
        </tbody>
      </table>
    </ArrowKeys>
  )
}

function EntryLine({ entry, rows }: { entry: LedgerEntry; rows: LedgerView['rows'] }) {
  const { sequence, at, author, reason, action, hash } = entry
  const { word, meaning } = LEDGER_WORDS[action.kind]
  const more = describeAction(action)
  const cells: Record<Column, ReactNode> = {
    Entry: (
      <a className="link" href={`#entry-${sequence}`}>
        {sequence}
      </a>
    ),
    Time: (
      <time className="whitespace-nowrap" dateTime={at}>
        {formatInstant(at)}
      </time>
    ),
    What: (
      <span title={meaning}>
        {word}
        {more ? <span className="text-muted">: {more}</span> : null}
      </span>
    ),
    Target: <EntryTarget action={action} rows={rows} />,
    Reason: visibleText(reason),
    By: visibleText(author),
    Hash: <WholeHash hash={hash} />,
  }
  return (
    <tr
      className="grid grid-cols-2 gap-x-3 gap-y-1.5 border-line border-t py-3 target:bg-accent-soft lg:table-row"
      data-row={sequence}
      id={`entry-${sequence}`}
    >
      {HEAD.map((name) => (
        <td
          className={classNames(
            'block min-w-0 lg:table-cell lg:h-9 lg:px-2.5 lg:py-1.5 lg:align-top',
            (name === 'Reason' || name === 'What' || name === 'Target') && 'col-span-2',
            name === 'Entry' && 'lg:text-right',
            name === 'What' && 'lg:whitespace-nowrap',
          )}
          key={name}
        >
          <span aria-hidden="true" className="block text-muted text-xs lg:hidden">
            {name}
          </span>
          <span className="untrusted">{cells[name]}</span>
        </td>
      ))}
    </tr>
  )
}

/** Shown short; hovering and copying give all of it. */
function WholeHash({ hash }: { hash: string }) {
  return (
    <code
      className="block max-w-[12ch] select-all leading-5 overflow-hidden text-ellipsis whitespace-nowrap text-xs"
      title={hash}
    >
      {hash.replace(/^sha256:/, '')}
    </code>
  )
}
