import { BookMarked } from 'lucide-react'
import Link from 'next/link'
import { formatInstant } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { OUTCOME_WORDS } from '#components/run/outcome-words.ts'
import { targetKind } from '#lib/domain/ledger/target-kind.ts'
import type { CorrectionNote } from '#lib/domain/views/ledger-view.ts'
import { ledgerHref } from './ledger-filter.ts'

/** What the ledger corrected about this page's run or episode; nothing where nothing was. */
export function CorrectionBanner({ corrections }: { corrections: readonly CorrectionNote[] }) {
  if (corrections.length === 0) return null
  return (
    <ul aria-label="Corrections" className="mb-4 grid gap-2">
      {corrections.map((note) => (
        <li
          className="flex gap-3 rounded border border-line bg-warn-soft px-4 py-3"
          key={note.sequence}
        >
          <BookMarked aria-hidden className="mt-0.5 shrink-0 text-warn" size={18} />
          <div className="min-w-0">
            <p className="text-base">
              <strong className="font-semibold">{headline(note)}</strong> {effect(note)}
            </p>
            <p className="untrusted">{visibleText(note.reason)}</p>
            <p>
              <Link
                className="link"
                href={`${ledgerHref({ target: note.target })}#entry-${note.sequence}`}
                prefetch={false}
              >
                Ledger entry {note.sequence}
              </Link>
              , {formatInstant(note.at)}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function headline(note: CorrectionNote): string {
  const what = targetKind(note.target) === 'run' ? 'This run' : 'This episode'
  return note.kind === 'rescored' ? `${what} was rescored.` : `${what} was ${note.kind}.`
}

function effect(note: CorrectionNote): string {
  if (note.kind === 'rescored')
    return `It counts as ${OUTCOME_WORDS[note.status].word}; what was sealed stands below.`
  if (note.kind === 'removed') return 'It does not count on the board; its evidence stays here.'
  return targetKind(note.target) === 'run'
    ? 'It stays on the board and is no claim.'
    : 'It counts as void.'
}
