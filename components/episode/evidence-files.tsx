import Link from 'next/link'
import type { LogRange } from '#lib/domain/api/episode-view.ts'
import { formatPruned, type PrunedNote } from '#lib/domain/api/episode-view.ts'
import type { EvidenceFile } from '#lib/domain/record/episode.ts'
import type { GatewayCall } from '#lib/domain/record/usage.ts'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatUsd,
  UNKNOWN,
  visibleText,
} from '../ui/format.ts'
import { ShortDigest } from '../ui/layout.tsx'
import { type DataColumn, DataTable } from '../ui/table.tsx'
import { LogPanel } from './episode-panels.tsx'
import { LOG_NAMES, type LogName } from './log-address.ts'

type EvidenceFilesProps = {
  files: readonly EvidenceFile[]
  pruned: readonly PrunedNote[]
}

/** The files kept beside the envelope, named by their digests. */
export function EvidenceFiles({ files, pruned }: EvidenceFilesProps) {
  return (
    <DataTable
      columns={[
        { head: 'Kind', cell: ({ role }) => role, cellClass: 'h-9 whitespace-nowrap pr-2' },
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
          cell: ({ sizeBytes }) => formatBytes(sizeBytes),
          cellTitle: ({ sizeBytes }) => `${sizeBytes} bytes`,
          cellClass: 'whitespace-nowrap px-2',
        },
        {
          head: 'Cut off',
          cell: ({ droppedBytes }) => (droppedBytes > 0 ? formatBytes(droppedBytes) : UNKNOWN),
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

/** Says that a file is no longer here on purpose; its digest stays sealed. Nothing where it was not pruned. */
function PrunedMark({ note }: { note: PrunedNote | undefined }) {
  if (!note) return null
  return (
    <span className="untrusted block font-sans text-muted">{visibleText(formatPruned(note))}</span>
  )
}

type FinalPageProps = {
  episodeId: string
  evidence: readonly EvidenceFile[]
  received: boolean
  pruned: readonly PrunedNote[]
}

/** What could be seen when the work was over, taken through the harness's own connection. */
export function FinalPage({ episodeId, evidence, received, pruned }: FinalPageProps) {
  const file = evidence.find(({ role }) => role === 'screenshot')
  if (!file) return <p className="text-muted">No screenshot was taken of the final page.</p>
  if (!received) {
    return (
      <p className="text-muted">
        The screenshot is named in the evidence; its bytes were not received.
      </p>
    )
  }
  const note = pruned.find(({ path }) => path === file.path)
  if (note) {
    return (
      <p className="untrusted text-muted">The screenshot was {visibleText(formatPruned(note))}.</p>
    )
  }
  const source = `/api/v1/episodes/${episodeId}/screenshot`
  return (
    <a className="block w-fit max-w-full" href={source} title="The picture in full size">
      {/* biome-ignore lint/performance/noImgElement: evidence is shown byte for byte, never resized by a server. */}
      <img
        alt="The page as it was when the work was over"
        className="max-h-[36rem] max-w-full rounded border border-line object-contain"
        src={source}
      />
    </a>
  )
}

type LogSectionProps = {
  episodeId: string
  name: LogName
  first: LogRange | null
  evidence: readonly EvidenceFile[]
  pruned: readonly PrunedNote[]
}

const TABS: Record<LogName, string> = { subject: 'Subject', gate: 'Gate' }

/** The two logs of an episode, one at a time. */
export function LogSection({ episodeId, name, first, evidence, pruned }: LogSectionProps) {
  const file = evidence.find(({ role }) => role === `${name}-log`)
  const note = file && pruned.find(({ path }) => path === file.path)
  return (
    <>
      <nav aria-label="Logs" className="mb-2 flex gap-1">
        {LOG_NAMES.map((log) => (
          <Link
            aria-current={log === name ? 'true' : undefined}
            className="rounded px-2.5 py-1 text-muted hover:text-ink aria-[current=true]:bg-sunken aria-[current=true]:text-ink"
            href={`/episodes/${episodeId}?log=${log}#logs`}
            key={log}
            prefetch={false}
            scroll={false}
          >
            {TABS[log]} log
          </Link>
        ))}
      </nav>
      {first && first.sizeBytes > 0 ? (
        <LogPanel episodeId={episodeId} first={first} key={name} name={name} />
      ) : (
        <p className="untrusted border-line border-y py-4 text-muted">
          {first ? 'This log is empty: nothing was written.' : sayNoLog(note)}
        </p>
      )}
      {file && file.droppedBytes > 0 ? (
        <p className="mt-2 text-muted">
          The log was larger than its limit: {formatBytes(file.droppedBytes)} (
          {formatCount(file.droppedBytes)} bytes) were not kept.
        </p>
      ) : null}
    </>
  )
}

function sayNoLog(note: PrunedNote | undefined): string {
  if (!note) return 'No such log was kept for this episode.'
  return visibleText(
    `This log was ${formatPruned(note)}. Its digest is still part of the envelope.`,
  )
}

const CALL_COLUMNS: readonly DataColumn<GatewayCall>[] = [
  { head: 'Call', cell: ({ number }) => number, cellTitle: ({ startedAt }) => startedAt },
  { head: 'Answer', cell: sayAnswer, cellClass: 'whitespace-nowrap' },
  { head: 'Model', cell: ({ model }) => visibleText(model ?? UNKNOWN), cellClass: 'untrusted' },
  {
    head: 'Tools',
    cell: ({ toolCalls }) => visibleText(toolCalls.join(', ') || UNKNOWN),
    cellClass: 'untrusted max-w-60',
  },
  {
    head: 'Tokens in, out',
    cell: ({ tokens: { input, output } }) => `${formatCount(input)}, ${formatCount(output)}`,
    cellTitle: sayTokens,
    cellClass: 'whitespace-nowrap',
  },
  { head: 'USD', cell: ({ costMicroUsd }) => formatUsd(costMicroUsd) },
  {
    head: 'First byte',
    cell: ({ firstByteMs }) => (firstByteMs === null ? UNKNOWN : formatDuration(firstByteMs)),
    cellClass: 'whitespace-nowrap',
  },
  {
    head: 'Whole',
    cell: ({ durationMs }) => formatDuration(durationMs),
    cellClass: 'whitespace-nowrap',
  },
  {
    head: 'Sent, got',
    cell: ({ requestBytes, responseBytes }) =>
      `${formatBytes(requestBytes)}, ${formatBytes(responseBytes)}`,
    cellClass: 'whitespace-nowrap',
  },
]

/** The agent's calls to its model, as the gateway between them saw them. */
export function GatewayCalls({ calls }: { calls: readonly GatewayCall[] | null }) {
  if (calls === null) {
    return <p className="text-muted">No gateway stood between the subject and a model.</p>
  }
  if (calls.length === 0) return <p className="text-muted">The subject never asked its model.</p>
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
        name: 'Calls to the model',
        className: 'max-h-[36rem] overflow-auto border-line border-b',
      }}
    />
  )
}

const ENDINGS: Record<string, string> = {
  whole: '',
  'client-gone': 'the agent left',
  'upstream-cut': 'cut off',
  unreachable: 'not reached',
  fault: 'broken on purpose',
  budget: 'budget spent',
  'replay-miss': 'not in the recording',
  refused: 'refused',
}

function sayAnswer({ status, ending, fault, retryOf, isStep }: GatewayCall): string {
  const parts = [
    status === null ? 'no status' : String(status),
    isStep ? 'step' : null,
    fault ? `fault ${fault}` : (ENDINGS[ending] ?? ending),
    retryOf === null ? null : `again ${retryOf}`,
  ]
  return visibleText(parts.filter(Boolean).join(', '))
}

function sayTokens({ tokens: { cacheRead, cacheWrite, reasoning } }: GatewayCall): string {
  return `from cache ${formatCount(cacheRead)}, into cache ${formatCount(cacheWrite)}, reasoning ${formatCount(reasoning)}`
}
