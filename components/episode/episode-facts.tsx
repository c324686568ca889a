import { EVALUATION_LABELS } from '#components/board/row-facts.ts'
import {
  formatCount,
  formatDollars,
  formatDuration,
  formatInstant,
  UNKNOWN,
  visibleText,
} from '#components/ui/format.ts'
import { type Fact, FactList, ShortDigest } from '#components/ui/layout.tsx'
import { PROVENANCE_WORDS } from '#lib/domain/board/index.ts'
import type { EvaluationView } from '#lib/domain/eligibility/index.ts'
import {
  type AnyEpisode,
  type CostSource,
  isMeasured,
  modelLabel,
  type NoProgressSignal,
  outcomeReason,
  type Provenance,
  type ReportedEpisode,
  type Usage,
} from '#lib/domain/record/index.ts'
import { countOf, present } from '#lib/domain/text/index.ts'
import { environmentFacts, text } from './environment-facts.tsx'

type EpisodeFactsProps = {
  episode: AnyEpisode
  provenance: Provenance
  evaluatedHere: EvaluationView | null
}

/** Digests of the episode's inputs, for comparing records. */
export function EpisodeDigests({ episode }: { episode: AnyEpisode }) {
  const { taskDigest, suiteDigest, planDigest, seal } = episode
  const digests = { Task: taskDigest, Suite: suiteDigest, Plan: planDigest, Seal: seal }
  return (
    <details className="mt-3">
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">Digests</summary>
      <FactList
        facts={Object.entries(digests).map(([name, digest]) => {
          return { name, value: <code className="break-all text-xs">{digest}</code> }
        })}
      />
    </details>
  )
}

/** Subject, environment and settings, from the sealed record. */
export function EpisodeFacts({ episode, provenance, evaluatedHere }: EpisodeFactsProps) {
  return (
    <div className="grid gap-x-10 lg:grid-cols-2">
      <FactList
        facts={[
          ...identityFacts(episode, provenance),
          ...armFacts(episode),
          ...evaluatedFact(evaluatedHere),
          ...effortFacts(episode),
        ]}
      />
      <FactList
        facts={isMeasured(episode) ? environmentFacts(episode.environment) : sourceFacts(episode)}
      />
    </div>
  )
}

function identityFacts(episode: AnyEpisode, provenance: Provenance): Fact[] {
  const { subject } = episode
  const { level, word, meaning } = PROVENANCE_WORDS[provenance]
  return [
    { name: 'Episode', value: <code className="text-xs">{episode.episodeId}</code> },
    { name: 'Entry', value: text(subject.name) },
    { name: 'Version', value: text(subject.version) },
    { name: 'Model requested', value: text(modelLabel(subject)) },
    { name: 'Model observed', value: text(subject.modelObserved.join(', ') || null) },
    { name: 'Mode', value: episode.mode },
    { name: 'Recorded reason', value: text(outcomeReason(episode.outcome)) },
    { name: 'Provenance', value: `${word} (${level})`, title: meaning },
    { name: 'Started', value: formatInstant(episode.startedAt), title: episode.startedAt },
  ]
}

/** The arm, and which of its parts the gateway saw. */
function armFacts(episode: AnyEpisode): Fact[] {
  const { arm, armDigest } = episode.subject
  if (arm === undefined) return []
  const parts = episode.activation?.parts ?? []
  const seen = parts.map(({ name, offered, used }) => {
    const word = used
      ? 'used'
      : offered
        ? 'offered, not used'
        : used === null
          ? UNKNOWN
          : 'not seen'
    return `${name}: ${word}`
  })
  return [
    { name: 'Arm', value: text(arm), ...(armDigest && { title: armDigest }) },
    ...(seen.length > 0 ? [{ name: 'Arm used', value: text(seen.join('; ')) }] : []),
  ]
}

function evaluatedFact(view: EvaluationView | null): Fact[] {
  if (!view) return []
  const reason = view.reason === null ? '' : `: ${view.reason}`
  const value = visibleText(`${EVALUATION_LABELS[view.state]}${reason}`)
  const title = view.at === null ? undefined : `${formatInstant(view.at)}, evaluation ${view.looks}`
  return [{ name: 'Evaluated here', value, ...(title ? { title } : {}) }]
}

function effortFacts(episode: AnyEpisode): Fact[] {
  const { browser, effort, usage, exit, fault, prompt } = episode
  const { agentSuccess, testSuccess, overallSuccess } = episode
  const flags = `agent ${yes(agentSuccess)}, tests ${yes(testSuccess)}, overall ${yes(overallSuccess)}`
  const ending = ({ code, signal }: { code: number | null; signal: string | null }) =>
    signal ?? (code === null ? UNKNOWN : `exit ${code}`)
  return present([
    { name: browser ? 'Library exit' : 'Agent exit', value: ending(exit.subject) },
    { name: 'Verifier exit', value: ending(exit.gate) },
    { name: 'Steps', value: formatCount(effort.steps) },
    { name: 'Tool calls', value: toolCalls(effort.toolCalls) },
    { name: 'Stalled steps', value: noProgress(effort) },
    effort.lingeredMs !== undefined && {
      name: 'Did not exit after its final answer',
      value: formatDuration(effort.lingeredMs),
    },
    effort.overrunMs !== undefined && {
      name: 'Ended after the limit',
      value: formatDuration(effort.overrunMs),
    },
    ...usageFacts(usage),
    ...faultFacts(fault),
    !browser && { name: 'ts-bench flags', value: flags, title: 'The board uses the outcome' },
    prompt && {
      name: 'Prompt',
      value: (
        <>
          version {prompt.version}, passed by {prompt.passedBy}{' '}
          <ShortDigest digest={prompt.digest} />
        </>
      ),
    },
  ])
}

const yes = (flag: boolean | null) => (flag === null ? UNKNOWN : flag ? 'yes' : 'no')

function usageFacts(usage: Usage | null): Fact[] {
  const { tokens, atLeast, unknownBecause = [], implausible = [] } = usage ?? {}
  const count = (known: number | null | undefined, min: number | undefined) =>
    (known ?? null) === null && min ? `at least ${formatCount(min)}` : formatCount(known ?? null)
  return present([
    {
      name: 'Tokens',
      value: `${count(tokens?.input, atLeast?.input)} in, ${count(tokens?.output, atLeast?.output)} out`,
    },
    {
      name: 'Cost',
      value: costText(usage),
      title: formatCostSource(usage),
    },
    usage?.costSources && { name: 'Cost source', value: text(formatCostSource(usage)) },
    ...modelFacts(usage),
    implausible.length > 0 && {
      name: 'Implausible usage',
      value: text(implausible.map(formatReason).join('; ')),
    },
    unknownBecause.length > 0 && {
      name: 'Unknown usage',
      value: text(unknownBecause.map(formatReason).join('; ')),
    },
  ])
}

/** Tokens by model if several responded, and the temperatures of the requests. */
function modelFacts(usage: Usage | null): Fact[] {
  const { models = [], temperatures = [] } = usage ?? {}
  const parts = models.map(
    ({ model, calls, input, output }) =>
      `${model ?? 'unnamed'}: ${countOf(calls, 'call')}, ${formatCount(input)} in, ${formatCount(output)} out`,
  )
  const sent = temperatures.map((one) => (one === null ? 'none' : String(one)))
  return [
    ...(models.length > 1 ? [{ name: 'Models', value: text(parts.join('; ')) }] : []),
    ...(sent.length > 0 ? [{ name: 'Temperature sent', value: text(sent.join(', ')) }] : []),
  ]
}

/** The cost, a lower bound, or a note that calls are not billed by token. */
export function costText(usage: Usage | null): string {
  const { costMicroUsd = null, atLeast, costSources } = usage ?? {}
  if (costMicroUsd === null && atLeast?.costMicroUsd)
    return `at least ${formatDollars(atLeast.costMicroUsd)}`
  return costMicroUsd === null && costSources?.flat ? 'flat' : formatDollars(costMicroUsd)
}

function formatReason({ reason, calls }: { reason: string; calls: number }): string {
  return `${reason} (${countOf(calls, 'call')})`
}

function toolCalls(calls: Record<string, number> | null): string {
  if (calls === null) return UNKNOWN
  const names = Object.entries(calls).map(([name, count]) => `${name} ${count}`)
  return names.length > 0 ? visibleText(names.join(', ')) : 'none'
}

const SIGNAL_WORDS: Record<string, string> = {
  'failing-calls': 'failing calls',
  'identical-calls': 'repeated calls',
  'unchanged-workspace': 'workspace unchanged',
} satisfies Record<NoProgressSignal, string>

/** Counts of each signal; unknown for unmetered agents. */
function noProgress({ steps, noProgress: signals }: AnyEpisode['effort']): string {
  if (steps === null) return UNKNOWN
  const seen = signals.map(({ signal, count }) => `${SIGNAL_WORDS[signal] ?? signal} ${count}`)
  return seen.length > 0 ? visibleText(seen.join(', ')) : 'none'
}

function faultFacts(fault: AnyEpisode['fault']): Fact[] {
  if (!fault) return []
  const fired = fault.firedAt === null ? 'did not fire' : `fired ${formatInstant(fault.firedAt)}`
  const ending = fault.recovered === null ? '' : fault.recovered ? ', recovered' : ', not recovered'
  return [
    { name: 'Fault', value: visibleText(`${fault.plan} at ${fault.point}, ${fired}${ending}`) },
  ]
}

/** Source of a reported result; it does not include the machine. */
function sourceFacts({ source }: ReportedEpisode): Fact[] {
  const { harness, times } = source
  const program = [harness.name, harness.version, harness.commit?.slice(0, 12)]
  return [
    { name: 'Measured by', value: text(program.filter(Boolean).join(', ')) },
    {
      name: 'Format',
      value: text([source.format, source.formatVersion].filter(Boolean).join(' ')),
    },
    { name: 'Original name', value: text(source.recordName) },
    { name: 'Record', value: <ShortDigest digest={source.recordDigest} /> },
    { name: 'Original score', value: formatCount(source.score) },
    { name: 'Times', value: times === 'run' ? 'of the entire run' : 'of this attempt' },
    { name: 'URL', value: text(source.url) },
    { name: 'Not reported', value: text(source.untold.join(', ')) },
  ]
}

/** Names the sources of the costs of an episode's calls; with the number of calls if there are several. */
export function formatCostSource(usage: Usage | null): string {
  const { costSources, priceTable = null } = usage ?? {}
  const table = priceTable ? `price table ${priceTable.id}, ${priceTable.date}` : null
  const sources = Object.entries(costSources ?? {}) as [CostSource, number][]
  const [only] = sources
  if (only === undefined) return table ?? 'No known price'
  // For a price of a provider file, its id replaces the table's.
  const given = costSources?.['price-table'] === undefined && priceTable?.id
  const words = {
    ...WORDS,
    'price-table': table ?? 'price table',
    given: given || 'price given with the plan',
  }
  if (sources.length === 1) return words[only[0]]
  return sources.map(([source, calls]) => `${words[source]} (${countOf(calls, 'call')})`).join('; ')
}

const WORDS = {
  provider: 'stated by the provider',
  free: 'free',
  flat: 'flat: paid by a subscription, not by the token',
  unknown: 'No known price',
}
