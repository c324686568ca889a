import type { RunView, SubmissionView } from '#lib/domain/api/index.ts'
import { EVIDENCE_WORDS, PROVENANCE_WORDS } from '#lib/domain/board/index.ts'
import { type AnyPlan, countSlots, isFrozen } from '#lib/domain/record/index.ts'
import { describeSetting, LIMIT_LIST } from '#lib/domain/settings/index.ts'
import { REUSE_LABELS, TARGETING_LABELS } from '#lib/domain/tasks/index.ts'
import { countOf, present } from '#lib/domain/text/index.ts'
import { EvidenceGlyph } from '../board/evidence.tsx'
import { RefusalList, RowActions } from '../board/refusals.tsx'
import { formatGradingSandboxes, formatResults } from '../board/row-facts.ts'
import {
  formatDuration,
  formatInstant,
  formatRate,
  formatSize,
  UNKNOWN,
  visibleText,
} from '../ui/format.ts'
import { type Fact, FactList, ShortDigest } from '../ui/layout.tsx'

/** The plan of a run, frozen before the first episode. */
export function PlanFacts({ run, suiteTitle }: { run: RunView; suiteTitle: string }) {
  const { plan } = run
  const { level, word, meaning } = PROVENANCE_WORDS[run.provenance]
  const requested: Fact[] = [
    {
      name: 'Suite',
      value: (
        <>
          <a className="link" href={`/suites/${plan.suiteId}`} title={plan.suiteId}>
            {suiteTitle}
          </a>{' '}
          <ShortDigest digest={plan.suiteDigest} />
        </>
      ),
    },
    { name: 'Size', value: sizeOf(plan) },
    { name: 'Plan', value: <ShortDigest digest={plan.planDigest} /> },
    ...freezingFacts(plan),
    { name: 'Provenance', value: `${word} (${level})`, title: meaning },
    ...(plan.command
      ? [{ name: 'Command', value: <code className="text-xs">{visibleText(plan.command)}</code> }]
      : []),
  ]
  return (
    <div className="grid gap-x-10 lg:grid-cols-2">
      <FactList facts={requested} />
      <FactList facts={settingFacts(plan)} />
    </div>
  )
}

function freezingFacts(plan: AnyPlan): Fact[] {
  if (isFrozen(plan))
    return [
      { name: 'Frozen', value: formatInstant(plan.frozenAt), title: plan.frozenAt },
      { name: 'Policy', value: `version ${plan.policyVersion}` },
    ]
  const { name, version } = plan.dataset
  return [
    { name: 'Frozen', value: 'no (results reported by another program)' },
    { name: 'Dataset', value: visibleText(version === null ? name : `${name} ${version}`) },
  ]
}

/** A top-up adds as many repetitions to each task as that task needs. */
function sizeOf(plan: AnyPlan): string {
  const tasks = countOf(plan.tasks.length, 'task')
  return plan.topUpOf
    ? `${tasks}, ${countOf(countSlots(plan), 'episode')} added`
    : `${tasks} × ${plan.repetitions}${plan.arms ? ` × ${countOf(plan.arms.length, 'arm')}` : ''}`
}

function limitFacts(plan: AnyPlan): Fact[] {
  // Without a frozen plan, a limit that was not reported could have applied.
  const none = isFrozen(plan) ? 'no limit' : UNKNOWN
  // A price is shown only if one was given.
  const isShown = (key: string) =>
    key !== 'timeoutMs' && (key !== 'price' || plan.settings.price !== undefined)
  return LIMIT_LIST.filter(({ key }) => isShown(key)).map(({ key, name, sameRow }) => {
    const isSet = (plan.settings[key] ?? null) !== null
    const unset = sameRow === 'near' ? none : UNKNOWN
    return {
      name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      value: isSet ? describeSetting(key, plan.settings) : unset,
    }
  })
}

function settingFacts(plan: AnyPlan): Fact[] {
  const { settings, subject } = plan
  return present<Fact>([
    { name: 'Timeout', value: formatDuration(settings.timeoutMs) },
    ...limitFacts(plan),
    { name: 'Isolation', value: settings.isolation ?? UNKNOWN },
    { name: 'Disk quota', value: formatSize(settings.diskQuotaBytes) },
    {
      name: 'Attempts',
      value: settings.maxAttempts === null ? UNKNOWN : `up to ${settings.maxAttempts} if excluded`,
    },
    { name: 'Provider', value: visibleText(subject.provider ?? UNKNOWN) },
    subject.targeting && { name: 'Locator strategy', value: TARGETING_LABELS[subject.targeting] },
    settings.browser && {
      name: 'Browser',
      value: `${REUSE_LABELS[settings.browser].word}: ${REUSE_LABELS[settings.browser].meaning}`,
    },
    ...(settings.fault ? [{ name: 'Fault', value: visibleText(settings.fault) }] : []),
  ])
}

/** The entry that a run counts towards, and its evidence. */
export function RunEvidence({ run }: { run: RunView }) {
  const { row, suiteId, plan, grading, armRows = [] } = run
  if (!row) {
    return (
      <p className="text-muted">
        This run does not count towards an entry: no episode is scored yet, or it was removed.
      </p>
    )
  }
  const { label, refusals, rowId, success, runIds } = row
  const { rate, spread } = formatRate(success.rate, success.low, success.high)
  const arm = armRows.find((one) => one.rowId === rowId)?.arm
  const others = runIds.length > 1 ? `, with ${countOf(runIds.length - 1, 'other run')}` : ''
  return (
    <>
      <p className="mb-2 flex flex-wrap items-center gap-x-2">
        <EvidenceGlyph label={label} />
        <span className="font-medium">{EVIDENCE_WORDS[label].word}</span>
        <span>
          counts {others} towards{' '}
          <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}&open=${rowId}`}>
            {arm === undefined ? 'this entry' : `the entry of its arm ${visibleText(arm)}`}
          </a>
          {armRows.length > 1 ? ' (for the other entries, see Arms)' : ''}
          {success.rate === null
            ? ', which has no scored episodes yet.'
            : `: ${rate}\u00a0% ${spread} (${countOf(success.tasks, 'task')}, ${countOf(success.attempts, 'episode')}).`}
        </span>
      </p>
      {grading ? (
        <p className="mb-2 text-muted">
          This run: {formatResults(grading)} · {formatGradingSandboxes(grading)}
        </p>
      ) : null}
      <RefusalList refusals={refusals} />
      <RowActions refusals={refusals} rowId={rowId} subject={plan.subject} suiteId={suiteId} />
    </>
  )
}

const COMMIT_LETTERS = 12

/** The workflow, commit and run that uploaded these results, and their digest. Names come from the token. */
export function SubmittedBy({ submission }: { submission: SubmissionView }) {
  const { vouched, bodyDigest, receivedAt } = submission
  return (
    <p className="untrusted mt-2 text-muted text-xs">
      {vouched ? (
        <>
          Uploaded by{' '}
          <span className="text-ink" title={`repository id ${vouched.repositoryId}`}>
            {visibleText(vouched.repository)}
          </span>
          , workflow {visibleText(nameWorkflow(vouched.workflowRef, vouched.repository))}, commit{' '}
          <code title={vouched.sha}>{vouched.sha.slice(0, COMMIT_LETTERS)}</code>, run{' '}
          <code title={`attempt ${vouched.runAttempt}`}>{vouched.runId}</code>
        </>
      ) : (
        'Uploaded with an upload token'
      )}
      {' on '}
      <span title={receivedAt}>{formatInstant(receivedAt)}</span>, digest{' '}
      <ShortDigest digest={bodyDigest} />
    </p>
  )
}

/** A workflow of the repository itself is named by its file alone. */
function nameWorkflow(workflowRef: string, repository: string): string {
  const own = `${repository}/.github/workflows/`
  return workflowRef.startsWith(own) ? workflowRef.slice(own.length) : workflowRef
}
