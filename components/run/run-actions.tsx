import type {
  CorrectionOffer,
  FormAction,
  RunOffer,
  RunOffers,
  RunView,
} from '#lib/domain/api/index.ts'
import { rowPath } from '#lib/domain/board/index.ts'
import { EXPORT_FORMATS, FILE_KINDS } from '#lib/domain/formats/index.ts'
import type { RegradeLine } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { ActionForm } from '../ui/form.tsx'
import { formatInstant, visibleText } from '../ui/format.ts'
import { Disclosure } from '../ui/layout.tsx'
import { OUTCOME_LABELS } from './outcome.tsx'
import { isActive } from './run-status.tsx'

type RunActionsProps = {
  runId: string
  offers: RunOffers
  actions: Record<keyof RunOffers, FormAction>
}

const WORDS: Record<keyof RunOffers, string> = {
  cancel: 'Cancel',
  resume: 'Resume',
  topUp: 'Top up',
  rerun: 'Rerun infrastructure failures',
}
const ORDER = ['cancel', 'resume', 'topUp', 'rerun'] as const

/** Actions of an administrator on a run, each with its effect or the reason why it is unavailable. */
export function RunActions({ runId, offers, actions }: RunActionsProps) {
  return (
    <ul className="grid gap-px overflow-hidden rounded border border-line bg-line sm:grid-cols-2">
      {ORDER.map((kind) => (
        <li className="min-w-0 bg-surface px-4 py-3" key={kind}>
          <Action action={actions[kind]} kind={kind} offer={offers[kind]} runId={runId} />
        </li>
      ))}
    </ul>
  )
}

type ActionProps = { kind: keyof RunOffers; runId: string; offer: RunOffer; action: FormAction }

function Action({ kind, runId, offer, action }: ActionProps) {
  const { says, refusal } = offer
  const word = WORDS[kind]
  const run = <input name="runId" type="hidden" value={runId} />
  if (refusal !== null) {
    return (
      <>
        <Button aria-describedby={`why-${kind}`} disabled>
          {word}
        </Button>
        <p className="untrusted mt-1.5 text-muted" id={`why-${kind}`}>
          {refusal}
        </p>
      </>
    )
  }
  if (kind === 'cancel') {
    return (
      <Disclosure tone="danger" word="Cancel…">
        <p>{says}</p>
        <ActionForm action={action} className="space-y-2" submit="Cancel this run" tone="danger">
          {run}
        </ActionForm>
      </Disclosure>
    )
  }
  return (
    <ActionForm action={action} className="flex flex-col items-start gap-1.5" submit={word}>
      {run}
      <p className="order-last text-muted">{says}</p>
    </ActionForm>
  )
}

type RunNextProps = {
  run: Pick<RunView, 'suiteId' | 'row' | 'status' | 'sealed'>
  suiteTitle: string
}

/** Where a finished run leads: its entry, a comparison, its files. */
export function RunNext({ run: { suiteId, row, status, sealed }, suiteTitle }: RunNextProps) {
  if (isActive({ status }) || sealed === 0) return null
  return (
    <nav aria-label="Next steps" className="mt-3 flex flex-wrap gap-x-5 gap-y-1">
      {row ? (
        <>
          <a className="link" href={rowPath(suiteId, row.rowId)}>
            Entry on the leaderboard
          </a>
          <a className="link" href={`/compare?rows=${row.rowId}`}>
            Compare with others
          </a>
        </>
      ) : (
        <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}`}>
          The leaderboard of {suiteTitle}
        </a>
      )}
      <a className="link" href="#files">
        Download the results
      </a>
      <a className="link" href={`/plan?suite=${encodeURIComponent(suiteId)}`}>
        Plan another run
      </a>
    </nav>
  )
}

/** Downloads of the run in all export formats. */
export function RunDownloads({ runId }: { runId: string }) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1">
      {EXPORT_FORMATS.map((format) => (
        <li key={format}>
          <a className="link" download href={`/api/v1/runs/${runId}/export?format=${format}`}>
            {FILE_KINDS[format].title}
          </a>
        </li>
      ))}
    </ul>
  )
}

type CorrectionActionsProps = {
  target: string
  offers: readonly CorrectionOffer[]
  correct: FormAction
  regrade: FormAction
  /** Null = a regrade is not possible; `noRegrade` says why. */
  regradeOf: { runId: string; episodeId: string | null } | null
  noRegrade: string | null
}

const OFFER_WORDS: Record<CorrectionOffer, string> = {
  invalidate: 'Invalidate: stays visible, but is no longer ranked or scored',
  reinstate: 'Reinstate: undo the invalidation',
  remove: 'Remove from the board',
  include: 'Include on the board again',
  'resolve-findings': 'Resolve findings: reviewed, no cheating',
  rescore: 'Rescore: use the result of the last regrade',
}

/** Corrections and regrade for administrators; each correction has a public reason. */
export function CorrectionActions(props: CorrectionActionsProps) {
  const { target, offers, correct, regrade, regradeOf, noRegrade } = props
  return (
    <div className="grid gap-6 md:grid-cols-2">
      {offers.length > 0 ? (
        <ActionForm action={correct} submit="Record correction">
          <input name="target" type="hidden" value={target} />
          <SelectField
            label="Correction"
            name="kind"
            options={offers.map((value) => ({ value, text: OFFER_WORDS[value] }))}
          />
          <TextField
            hint="Public and permanent: it is recorded in the ledger."
            label="Reason"
            maxLength={2000}
            name="reason"
            required
          />
        </ActionForm>
      ) : (
        <p className="text-muted">No corrections are available.</p>
      )}
      {regradeOf ? (
        <ActionForm action={regrade} submit="Regrade">
          <p className="text-muted">
            Evaluates the stored solutions again with the current verifier. The original results do
            not change; the new result is stored alongside.
          </p>
          <input name="runId" type="hidden" value={regradeOf.runId} />
          <input name="episodeId" type="hidden" value={regradeOf.episodeId ?? ''} />
        </ActionForm>
      ) : (
        <p className="text-muted">{noRegrade}</p>
      )}
    </div>
  )
}

type RegradeNoteProps = { lines: readonly RegradeLine[]; isWaiting: boolean }

const MAX_SHOWN = 50

/** Results of regrades: disagreements first, then newest first. */
export function RegradeNote({ lines, isWaiting }: RegradeNoteProps) {
  const newest = [...lines].reverse()
  const shown = [
    ...newest.filter(({ agrees }) => !agrees),
    ...newest.filter(({ agrees }) => agrees),
  ].slice(0, MAX_SHOWN)
  return (
    <>
      {isWaiting ? <p className="mb-2 text-muted">A regrade is in progress.</p> : null}
      <ul className="border-line border-b">
        {shown.map((line) => (
          <li className="flex flex-wrap gap-x-3 border-line border-t py-1.5" key={line.path}>
            <span className="text-muted tabular-nums">{formatInstant(line.at)}</span>
            <a className="link" href={`/episodes/${line.episodeId}`}>
              <code className="text-xs">{line.episodeId.slice(0, 11)}</code>
            </a>
            <span className={line.agrees ? '' : 'font-medium text-warn'}>{say(line)}</span>
            <span className="untrusted text-muted">
              verifier {visibleText(formatVerifier(line))}
            </span>
          </li>
        ))}
      </ul>
      {lines.length > shown.length ? (
        <p className="mt-2 text-muted">
          {countOf(lines.length - shown.length, 'earlier regrade')} not shown.
        </p>
      ) : null}
    </>
  )
}

function say({ agrees, before, after }: RegradeLine): string {
  const now = OUTCOME_LABELS[after.status].word
  if (agrees) return `Agreed: ${now}`
  return `Disagreed: was ${OUTCOME_LABELS[before.status].word} (verdict ${before.verdict ?? 'none'}), now ${now} (verdict ${after.verdict ?? 'none'})`
}

function formatVerifier({ gate: { version, commit } }: RegradeLine): string {
  return commit === null ? version : `${version} (${commit.slice(0, 9)})`
}
