import type { CorrectionNote, LedgerView } from '#lib/domain/api/index.ts'
import { targetKind } from '#lib/domain/ledger/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { OUTCOME_LABELS } from '../run/outcome.tsx'
import { CopyButton } from '../ui/controls.tsx'
import { formatInstant, visibleText } from '../ui/format.ts'
import { BookMarked, ShieldAlert, ShieldCheck } from '../ui/icons.tsx'
import { CommandLines, ShortDigest } from '../ui/layout.tsx'
import { ledgerHref } from './ledger-page.tsx'

/** Shows whether the hash chain is intact, and its latest hash, which reveals later removals. */
export function ChainStatus({ view }: { view: LedgerView }) {
  const { holds, head, total, broken, checkedAt } = view
  const Icon = holds ? ShieldCheck : ShieldAlert
  return (
    <section aria-label="Ledger status" className="rounded border border-line bg-surface px-4 py-3">
      <p className="flex flex-wrap items-center gap-2 text-base">
        <Icon aria-hidden className={holds ? 'text-good' : 'text-bad'} size={18} />
        <strong className="font-semibold">
          {holds ? 'Ledger verified' : 'Ledger verification failed'}
        </strong>
        <span className="untrusted text-muted">
          {holds
            ? `${countOf(total, 'entry')}, hash chain intact (last read whole ${formatInstant(checkedAt)})`
            : visibleText(broken ?? '')}
        </span>
      </p>
      {head ? (
        <details className="mt-2">
          <summary className="w-fit">
            <span className="text-muted">Latest entry:</span> {head.sequence},{' '}
            <span className="text-muted">hash</span> <ShortDigest digest={head.hash} />
          </summary>
          <div className="mt-1 flex flex-wrap items-center gap-2">
            <code className="untrusted min-w-0 select-all text-xs">{head.hash}</code>
            <CopyButton label="Copy hash" text={head.hash} />
            <span className="text-muted">
              Save it elsewhere: a ledger that was cut or rewritten no longer contains it.
            </span>
          </div>
        </details>
      ) : null}
      <p className="mt-2 text-muted">
        <a className="link" download="ledger.json" href="/api/v1/ledger.json">
          Download the ledger
        </a>{' '}
        and verify it on your own machine, or{' '}
        <a className="link" href="/feed.xml?kind=ledger">
          follow it as a feed
        </a>
        . To verify:
      </p>
      <div className="mt-1">
        <CommandLines lines={['npx proofboard server ledger verify --from ledger.json']} />
      </div>
    </section>
  )
}

/** Corrections of the page's run or episode; renders nothing without any. */
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
              <a
                className="link"
                href={`${ledgerHref({ target: note.target })}#entry-${note.sequence}`}
              >
                Ledger entry {note.sequence}
              </a>
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
    return `It counts as ${OUTCOME_LABELS[note.status].word}. The original result is below.`
  if (note.kind === 'removed')
    return 'It does not count on the board. Its evidence remains available.'
  return targetKind(note.target) === 'run'
    ? 'It stays on the board but is not ranked.'
    : 'It is excluded from scoring.'
}
