import dynamic from 'next/dynamic'
import {
  type EpisodeView,
  formatPruned,
  type LogRange,
  type PrunedNote,
} from '#lib/domain/api/index.ts'
import { type EvidenceFile, finalScreenshot, type GatewayCall } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { DataColumn } from '../ui/data-column.ts'
import {
  formatCount,
  formatDuration,
  formatSize,
  formatUsd,
  UNKNOWN,
  visibleText,
} from '../ui/format.ts'
import { ShortDigest } from '../ui/layout.tsx'
import { DataTable } from '../ui/table.tsx'
import { LOG_NAMES, type LogName } from './log-address.ts'

type EvidenceFilesProps = {
  files: readonly EvidenceFile[]
  pruned: readonly PrunedNote[]
}

/** The evidence files of an episode with their digests. */
export function EvidenceFiles({ files, pruned }: EvidenceFilesProps) {
  if (files.length === 0)
    return <p className="text-muted">No files were stored for this episode.</p>
  return (
    <DataTable
      columns={[
        { head: 'Role', cell: ({ role }) => role, cellClass: 'h-9 whitespace-nowrap pr-2' },
        {
          head: 'File',
          cell: (file) => (
            <>
              <span className="untrusted block min-w-40">{visibleText(file.path)}</span>
              <PrunedMark note={pruned.find(({ path }) => path === file.path)} />
            </>
          ),
          cellClass: 'px-2 font-mono text-xs',
        },
        {
          head: 'Size',
          cell: ({ sizeBytes }) => formatSize(sizeBytes),
          cellTitle: ({ sizeBytes }) => countOf(sizeBytes, 'byte'),
          cellClass: 'whitespace-nowrap px-2',
        },
        {
          head: 'Truncated',
          cell: ({ droppedBytes }) => (droppedBytes > 0 ? formatSize(droppedBytes) : UNKNOWN),
          cellClass: 'whitespace-nowrap px-2',
        },
        {
          head: 'SHA-256',
          cell: ({ digest }) => <ShortDigest digest={digest} />,
          cellClass: 'px-2',
        },
      ]}
      headClass="h-9 border-line-strong border-b px-2 text-muted text-xs first:pl-0"
      keyOf={({ path }) => path}
      rows={files}
      scroll={{ name: 'Evidence files' }}
    />
  )
}

/** Marks a file that was deleted by retention; its digest stays sealed. Renders nothing otherwise. */
function PrunedMark({ note }: { note: PrunedNote | undefined }) {
  if (!note) return null
  return (
    <span className="untrusted block font-sans text-muted">{visibleText(formatPruned(note))}</span>
  )
}

/** Says why no file of an episode can be shown: `not uploaded`, `not in this data folder`; null = they can. */
export function whereAbsent({
  elsewhere,
  received,
}: Pick<EpisodeView, 'elsewhere' | 'received'>): string | null {
  if (elsewhere !== null) return 'not in this data folder'
  return received ? null : 'not uploaded'
}

type FinalPageProps = {
  episodeId: string
  evidence: readonly EvidenceFile[]
  absent: string | null
  pruned: readonly PrunedNote[]
}

/** Screenshot of the final page, taken through the harness's own connection. */
export function FinalPage({ episodeId, evidence, absent, pruned }: FinalPageProps) {
  const file = finalScreenshot(evidence)
  if (!file) return <p className="text-muted">There is no screenshot of the final page.</p>
  const note = pruned.find(({ path }) => path === file.path)
  if (note) {
    return (
      <p className="untrusted text-muted">The screenshot was {visibleText(formatPruned(note))}.</p>
    )
  }
  if (absent) {
    return <p className="text-muted">The evidence lists a screenshot; the file is {absent}.</p>
  }
  const source = `/api/v1/episodes/${episodeId}/screenshot`
  return (
    <a className="block w-fit max-w-full" href={source} title="Open full size">
      {/* biome-ignore lint/performance/noImgElement: evidence is shown unchanged, never resized by a server. */}
      <img
        alt="Final page of the episode"
        className="max-h-[36rem] max-w-full rounded border border-line object-contain"
        src={source}
      />
    </a>
  )
}

// The log viewer is the only large script of the page, so it is loaded only where a log is shown.
const LogPanel = dynamic(() => import('./log-panel.tsx').then((part) => part.LogPanel))

type LogSectionProps = {
  episodeId: string
  name: LogName
  first: LogRange | null
  hasBrowser: boolean
  evidence: readonly EvidenceFile[]
  absent: string | null
  pruned: readonly PrunedNote[]
}

const nameLog = (log: LogName, hasBrowser: boolean) =>
  log === 'gate' ? 'Verifier log' : `${hasBrowser ? 'Library' : 'Agent'} log`

/** The two logs of an episode, one at a time. */
export function LogSection(props: LogSectionProps) {
  const { episodeId, name, first, hasBrowser, evidence, absent, pruned } = props
  const file = evidence.find(({ role }) => role === `${name}-log`)
  const note = file && pruned.find(({ path }) => path === file.path)
  return (
    <>
      <LogLinks chosen={name} episodeId={episodeId} hasBrowser={hasBrowser} />
      {first && first.sizeBytes > 0 ? (
        <LogPanel episodeId={episodeId} first={first} key={name} name={name} />
      ) : (
        <p className="untrusted border-line border-y py-4 text-muted">
          {first ? 'This log is empty.' : formatMissingLog(note, file ? absent : null)}
        </p>
      )}
      {file && file.droppedBytes > 0 ? (
        <p className="mt-2 text-muted">
          The log exceeded its size limit: {formatSize(file.droppedBytes)} (
          {countOf(file.droppedBytes, 'byte')}) were dropped.
        </p>
      ) : null}
    </>
  )
}

type LogLinksProps = { episodeId: string; chosen: LogName; hasBrowser: boolean }

export function LogLinks({ episodeId, chosen, hasBrowser }: LogLinksProps) {
  return (
    <nav aria-label="Logs" className="mb-2 flex gap-1">
      {LOG_NAMES.map((log) => (
        <a
          aria-current={log === chosen ? 'true' : undefined}
          className="rounded px-2.5 py-1 text-muted hover:text-ink aria-[current=true]:bg-sunken aria-[current=true]:text-ink"
          href={`/episodes/${episodeId}?tab=logs&log=${log}`}
          key={log}
          data-keep-scroll
        >
          {nameLog(log, hasBrowser)}
        </a>
      ))}
    </nav>
  )
}

function formatMissingLog(note: PrunedNote | undefined, absent: string | null): string {
  if (!note && absent) return `This log is ${absent}. The sealed record contains its digest.`
  if (!note) return 'This episode has no such log.'
  return visibleText(
    `This log was ${formatPruned(note)}. The sealed record still contains its digest.`,
  )
}

const CALL_COLUMNS: readonly DataColumn<GatewayCall>[] = [
  { head: 'Call', cell: ({ number }) => number, cellTitle: ({ startedAt }) => startedAt },
  { head: 'Response', cell: formatResponse, cellClass: 'whitespace-nowrap' },
  { head: 'Model', cell: ({ model }) => visibleText(model ?? UNKNOWN), cellClass: 'untrusted' },
  {
    head: 'Tools',
    cell: ({ toolCalls }) => visibleText(toolCalls.join(', ') || UNKNOWN),
    cellClass: 'untrusted max-w-60',
  },
  {
    head: 'Tokens in / out',
    cell: ({ tokens: { input, output } }) => `${formatCount(input)} / ${formatCount(output)}`,
    cellTitle: formatTokenDetails,
    cellClass: 'whitespace-nowrap',
  },
  { head: 'USD', cell: ({ costMicroUsd }) => formatUsd(costMicroUsd), cellTitle: formatCostSource },
  {
    head: 'First byte',
    cell: ({ firstByteMs }) => (firstByteMs === null ? UNKNOWN : formatDuration(firstByteMs)),
    cellClass: 'whitespace-nowrap',
  },
  {
    head: 'Total',
    cell: ({ durationMs }) => formatDuration(durationMs),
    cellClass: 'whitespace-nowrap',
  },
  {
    head: 'Sent, received',
    cell: ({ requestBytes, responseBytes }) =>
      `${formatSize(requestBytes)}, ${formatSize(responseBytes)}`,
    cellClass: 'whitespace-nowrap',
  },
]

type GatewayCallsProps = {
  calls: readonly GatewayCall[] | null
  hasTranscript: boolean
  /** Why the listed calls cannot be shown. */
  absent?: string | null
}

/** The agent's model calls, as recorded by the gateway. */
export function GatewayCalls({ calls, hasTranscript, absent = null }: GatewayCallsProps) {
  if (calls === null && absent)
    return <p className="text-muted">The record of the model calls is {absent}.</p>
  if (calls === null) {
    return (
      <p className="text-muted">
        {hasTranscript
          ? 'The record of the single calls is not among the files of this episode; the transcript has their tokens and cost.'
          : 'Model calls did not go through the gateway, so none were recorded.'}
      </p>
    )
  }
  if (calls.length === 0) return <p className="text-muted">The agent made no model calls.</p>
  return (
    <DataTable
      cellClass="pr-4 last:pr-0"
      className="w-full min-w-[60rem]"
      columns={CALL_COLUMNS}
      headClass="sticky top-0 h-9 border-line-strong border-b bg-bg pr-4 text-muted text-xs"
      keyOf={({ number }) => number}
      rowProps={() => ({ className: 'h-9 border-line border-t align-baseline' })}
      rows={calls}
      scroll={{
        name: 'Model calls',
        className: 'max-h-[36rem] overflow-auto border-line border-b',
      }}
    />
  )
}

const ENDINGS: Record<string, string> = {
  whole: '',
  'client-gone': 'agent disconnected',
  'upstream-cut': 'provider disconnected',
  unreachable: 'provider unreachable',
  fault: 'injected fault',
  budget: 'budget exhausted',
  'replay-miss': 'not in the recording',
  refused: 'refused',
}

function formatResponse(call: GatewayCall): string {
  const { status, ending, fault, retryOf, isStep, toolsLeftOut } = call
  const parts = [
    status === null ? 'no status' : String(status),
    isStep ? 'step' : null,
    fault ? `fault ${fault}` : (ENDINGS[ending] ?? ending),
    retryOf === null ? null : `retry of ${retryOf}`,
    toolsLeftOut ? `without ${toolsLeftOut.join(', ')}` : null,
  ]
  return visibleText(parts.filter(Boolean).join(', '))
}

function formatCostSource({ costSource, unknownBecause }: GatewayCall): string {
  return visibleText(unknownBecause ?? costSource ?? UNKNOWN)
}

function formatTokenDetails({ tokens: { cacheRead, cacheWrite, reasoning } }: GatewayCall): string {
  return `cache read ${formatCount(cacheRead)}, cache write ${formatCount(cacheWrite)}, reasoning ${formatCount(reasoning)}`
}

/** Received evidence that cannot be shown, by name. Renders nothing if there is none. */
export function EvidenceProblems({ problems }: { problems: EpisodeView['evidenceProblems'] }) {
  if (problems.length === 0) return null
  return (
    <section
      aria-label="Evidence problems"
      className="mb-4 rounded border border-line bg-warn-soft px-4 py-3"
    >
      <p className="text-base">
        <strong className="font-semibold">Not all evidence can be shown.</strong> The results were
        sealed earlier and do not change.
      </p>
      <ul className="mt-1">
        {problems.map(({ path, problem }) => (
          <li className="untrusted" key={path}>
            <code className="text-xs">{visibleText(path)}</code> {visibleText(problem)}
          </li>
        ))}
      </ul>
    </section>
  )
}
