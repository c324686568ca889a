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
import { countOf } from '#lib/domain/text/index.ts'
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
  /** Options of the launch form with the same settings; null = they cannot be launched. */
  again: string | null
}

const WORDS: Record<keyof RunOffers, string> = {
  cancel: 'Cancel',
  resume: 'Resume',
  topUp: 'Top up',
  rerun: 'Rerun infrastructure failures',
}
const ORDER = ['cancel', 'resume', 'topUp', 'rerun'] as const

/** Actions of an administrator on a run as a toolbar, and below it what each does or why it is unavailable. */
export function RunActions({ runId, offers, actions, again }: RunActionsProps) {
  const possible = ORDER.filter((kind) => offers[kind].refusal === null)
  const refused = ORDER.filter((kind) => offers[kind].refusal !== null)
  return (
    <section aria-label="Actions" className="mt-4" id="actions">
      <div className="flex flex-wrap items-start gap-2">
        {ORDER.map((kind) => (
          <Action
            action={actions[kind]}
            key={kind}
            kind={kind}
            offer={offers[kind]}
            runId={runId}
          />
        ))}
        {again === null ? null : (
          <a
            className="inline-flex h-8 items-center px-1 hover:underline"
            href={`/admin/launch?${again}`}
          >
            Launch again with these settings
          </a>
        )}
      </div>
      <div className="mt-1.5 text-muted text-xs">
        <Explanations kinds={possible} offers={offers} />
        {refused.length > 0 ? (
          <details>
            <summary className="w-fit cursor-pointer">Why not {listWords(refused)}</summary>
            <Explanations kinds={refused} offers={offers} />
          </details>
        ) : null}
      </div>
    </section>
  )
}

type Kinds = readonly (keyof RunOffers)[]

function listWords(kinds: Kinds): string {
  return kinds.map((kind) => WORDS[kind].toLowerCase()).join(', ')
}

function Explanations({ kinds, offers }: { kinds: Kinds; offers: RunOffers }) {
  return kinds.map((kind) => (
    <p className="untrusted" id={`about-${kind}`} key={kind}>
      <span className="text-ink">{WORDS[kind]}</span>: {offers[kind].refusal ?? offers[kind].says}
    </p>
  ))
}

type ActionProps = { kind: keyof RunOffers; runId: string; offer: RunOffer; action: FormAction }

function Action({ kind, runId, offer, action }: ActionProps) {
  const word = WORDS[kind]
  const run = <input name="runId" type="hidden" value={runId} />
  if (offer.refusal !== null)
    return (
      <Button aria-describedby={`about-${kind}`} disabled>
        {word}
      </Button>
    )
  if (kind === 'cancel')
    return (
      <Disclosure tone="danger" word="Cancel…">
        <p>{offer.says}</p>
        <ActionForm action={action} className="space-y-2" submit="Cancel this run" tone="danger">
          {run}
        </ActionForm>
      </Disclosure>
    )
  return (
    <ActionForm action={action} className="max-w-md space-y-1.5" submit={word}>
      {run}
    </ActionForm>
  )
}

type RunNextProps = {
  run: Pick<RunView, 'runId' | 'suiteId' | 'row' | 'status' | 'sealed'>
  suiteTitle: string
}

/** Links of a run in one line: its entry, a comparison, its files. */
export function RunNext({
  run: { runId, suiteId, row, status, sealed },
  suiteTitle,
}: RunNextProps) {
  if (sealed === 0) return null
  return (
    <nav aria-label="Next steps" className="mt-3 flex flex-wrap items-start gap-x-5 gap-y-1">
      {isActive({ status }) ? null : (
        <>
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
          <a className="link" href={`/plan?suite=${encodeURIComponent(suiteId)}`}>
            Plan another run
          </a>
        </>
      )}
      <details>
        <summary className="link w-fit cursor-pointer">Download the results</summary>
        <ul className="mt-1 columns-2 gap-x-6 rounded border border-line bg-surface px-3 py-2">
          {EXPORT_FORMATS.map((format) => (
            <li key={format}>
              <a className="link" download href={`/api/v1/runs/${runId}/export?format=${format}`}>
                {FILE_KINDS[format].title}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
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
