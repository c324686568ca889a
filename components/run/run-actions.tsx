import Link from 'next/link'
import type { FormAction } from '#lib/domain/api/action-result.ts'
import type { CorrectionOffer, RunOffer, RunOffers } from '#lib/domain/api/run-view.ts'
import { EXPORT_FORMATS, FILE_KINDS } from '#lib/domain/formats/write-export.ts'
import type { RegradeLine } from '#lib/domain/record/regrade.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { ActionForm } from '../ui/form.tsx'
import { formatInstant, plural, visibleText } from '../ui/format.ts'
import { Disclosure } from '../ui/layout.tsx'
import { OUTCOME_WORDS } from './outcome.tsx'

type RunActionsProps = {
  runId: string
  offers: RunOffers
  actions: Record<keyof RunOffers, FormAction>
}

const WORDS: Record<keyof RunOffers, string> = {
  cancel: 'Cancel',
  resume: 'Resume',
  topUp: 'Top up',
  rerun: 'Rerun failed infrastructure',
}
const ORDER = ['cancel', 'resume', 'topUp', 'rerun'] as const

/** What an administrator can do with a run: each says beforehand what it will do, or why it cannot. */
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
      <Disclosure word="Cancel…">
        <p>{says}</p>
        <ActionForm action={action} className="space-y-2" submit="Stop this run">
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

/** The run as files, in our own words and in those of other tools. */
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
  /** Null = a regrade makes no sense, because of `noRegrade`. */
  regradeOf: { runId: string; episodeId: string | null } | null
  noRegrade: string | null
}

const OFFER_WORDS: Record<CorrectionOffer, string> = {
  invalidate: 'Invalidate: it stays visible and is vouched for no longer',
  reinstate: 'Reinstate: take the invalidation back',
  remove: 'Remove: it does not count on the board',
  include: 'Include again: it counts on the board',
  'resolve-findings': 'Resolve findings: looked at, no cheating',
  rescore: 'Rescore: take over what the last regrade says',
}

/** What an administrator can correct here, with a public reason, and the regrade. */
export function CorrectionActions(props: CorrectionActionsProps) {
  const { target, offers, correct, regrade, regradeOf, noRegrade } = props
  return (
    <div className="grid gap-6 md:grid-cols-2">
      {offers.length > 0 ? (
        <ActionForm action={correct} submit="Write into the ledger">
          <input name="target" type="hidden" value={target} />
          <SelectField
            label="Correction"
            name="kind"
            options={offers.map((value) => ({ value, text: OFFER_WORDS[value] }))}
          />
          <TextField
            hint="Public, and never taken out: the ledger names this correction to everybody."
            label="Reason"
            maxLength={2000}
            name="reason"
            required
          />
        </ActionForm>
      ) : (
        <p className="text-muted">There is nothing to correct here now.</p>
      )}
      {regradeOf ? (
        <ActionForm action={regrade} submit="Regrade">
          <p className="text-muted">
            Judges the stored solutions anew with this version&apos;s gate. What was sealed stays;
            the answer is kept beside it.
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

const MOST_SHOWN = 50

/** What was found when stored solutions were judged anew: the disagreements first, newest first. */
export function RegradeNote({ lines, isWaiting }: RegradeNoteProps) {
  const newest = [...lines].reverse()
  const shown = [
    ...newest.filter(({ agrees }) => !agrees),
    ...newest.filter(({ agrees }) => agrees),
  ].slice(0, MOST_SHOWN)
  return (
    <>
      {isWaiting ? <p className="mb-2 text-muted">A regrade is under way.</p> : null}
      <ul className="border-line border-b">
        {shown.map((line) => (
          <li className="flex flex-wrap gap-x-3 border-line border-t py-1.5" key={line.path}>
            <span className="text-muted tabular-nums">{formatInstant(line.at)}</span>
            <Link className="link" href={`/episodes/${line.episodeId}`} prefetch={false}>
              <code className="text-xs">{line.episodeId.slice(0, 11)}</code>
            </Link>
            <span className={line.agrees ? '' : 'font-medium text-warn'}>{say(line)}</span>
            <span className="untrusted text-muted">gate {visibleText(sayGate(line))}</span>
          </li>
        ))}
      </ul>
      {lines.length > shown.length ? (
        <p className="mt-2 text-muted">
          {plural(lines.length - shown.length, 'earlier regrade')} not shown.
        </p>
      ) : null}
    </>
  )
}

function say({ agrees, before, after }: RegradeLine): string {
  const now = OUTCOME_WORDS[after.status].word
  if (agrees) return `Agrees: ${now}`
  return `Does not agree: was ${OUTCOME_WORDS[before.status].word} with verdict ${before.verdict ?? 'none'}, is ${now} with verdict ${after.verdict ?? 'none'}`
}

function sayGate({ gate: { version, commit } }: RegradeLine): string {
  return commit === null ? version : `${version} (${commit.slice(0, 9)})`
}
