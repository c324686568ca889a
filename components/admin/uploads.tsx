import { createLoader, parseAsStringLiteral } from 'nuqs/server'
import {
  canCommit,
  ITEM_KINDS,
  type ItemKind,
  type PreviewItem,
  type PreviewRun,
  type UploadPreview,
  type UploadView,
} from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatSize, UNKNOWN, visibleText } from '../ui/format.ts'
import { type Fact, FactList } from '../ui/layout.tsx'
import { Notice } from '../ui/notice.tsx'
import { PlainTable } from '../ui/plain-table.tsx'

/** The state of an upload, or what prevents it, in one or two lines. */
export function UploadStatus({ upload }: { upload: UploadView }) {
  const { preview, state } = upload
  if (state === 'committed')
    return (
      <Notice
        title={`Added: ${formatPreviewCounts({ ...preview, counts: { ...preview.counts, duplicate: 0 } })}`}
      >
        {BOARDS}
      </Notice>
    )
  if (state === 'discarded')
    return <Notice title="Discarded">Nothing was stored, and the file was deleted.</Notice>
  if (preview.problem)
    return (
      <Notice title="The file cannot be read">
        <p className="untrusted">{visibleText(preview.problem)}</p>
      </Notice>
    )
  if (!canCommit(preview))
    return (
      <Notice title={`This upload has errors: ${formatPreviewCounts(preview)}`}>
        An upload is stored completely or not at all. Fix the conflicts and rejected episodes below
        and upload the file again.
      </Notice>
    )
  if (preview.counts.new === 0 && preview.evidence.added === 0)
    return (
      <Notice title="Already stored">
        {preview.leftOut.count > 0
          ? `Nothing will be added: ${formatPreviewCounts(preview)}.`
          : 'All episodes in this upload are already stored.'}
      </Notice>
    )
  return (
    <Notice title={`Will be added: ${formatPreviewCounts(preview)}`}>
      Nothing is stored until you commit. This preview expires in 24 h.
    </Notice>
  )
}

const BOARDS = 'The leaderboards update within seconds.'

/** The format, sender and evidence files of an upload. */
export function PreviewFacts({ upload }: { upload: UploadView }) {
  const { preview, bytes, createdBy } = upload
  const { matched, missing, wrong, extra, added } = preview.evidence
  const facts: Fact[] = [
    { name: 'Format', value: preview.format },
    { name: 'Size', value: bytes > 0 ? formatSize(bytes) : UNKNOWN },
    { name: 'Uploaded by', value: visibleText(createdBy) },
    {
      name: 'Provenance',
      value:
        'manual: not ranked, because only results uploaded with a token or by a workflow can be ranked',
    },
  ]
  // A file that cannot be read has no episodes, and no evidence to match with them.
  if (matched + missing + wrong + extra > 0)
    facts.push({
      name: 'Evidence files',
      value: `${matched} matched, ${missing} missing, ${wrong} wrong, ${extra} extra`,
    })
  if (added > 0)
    facts.push({
      name: 'Added later',
      value: `${countOf(added, 'evidence file')} of stored episodes`,
    })
  return <div className="mt-6 max-w-3xl">{<FactList facts={facts} />}</div>
}

const ITEM_HEAD = ['Status', 'Path', 'Episode', 'Outcome', 'Notes'] as const
const PILL =
  'inline-flex h-8 items-center rounded border border-line bg-surface px-2.5 hover:border-line-strong aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft'

type PreviewItemsProps = {
  uploadId: string
  preview: UploadPreview
  kind: ItemKind | null
  isCommitted: boolean
}

/** The episodes of an upload, errors first; at most a few hundred of each kind. */
export function PreviewItems({ uploadId, preview, kind, isCommitted }: PreviewItemsProps) {
  const { items, counts } = preview
  const shown = items.filter((item) => kind === null || item.kind === kind)
  const all = ITEM_KINDS.filter((one) => kind === null || one === kind).reduce(
    (sum, one) => sum + counts[one],
    0,
  )
  const here = `/admin/uploads/${uploadId}`
  const rows = shown.map((item, index) => ({
    key: `${index} ${item.path}`,
    cells: {
      Status: <Kind kind={item.kind} />,
      Path: <code className="text-xs">{visibleText(item.path)}</code>,
      Episode: <Episode isCommitted={isCommitted} item={item} />,
      Outcome: item.outcome ?? UNKNOWN,
      Notes: item.message === null ? UNKNOWN : visibleText(item.message),
    },
  }))
  return (
    <>
      <nav aria-label="Episodes by status" className="mb-3 flex flex-wrap gap-1">
        <a aria-current={kind === null ? 'true' : undefined} className={PILL} href={here}>
          All
        </a>
        {ITEM_KINDS.filter((one) => counts[one] > 0).map((one) => (
          <a
            aria-current={kind === one ? 'true' : undefined}
            className={PILL}
            href={`${here}?kind=${one}`}
            key={one}
            title={KIND_WORDS[one].meaning}
          >
            {counts[one]} {KIND_WORDS[one].word}
          </a>
        ))}
      </nav>
      <PlainTable
        caption="Episodes in this upload"
        head={ITEM_HEAD}
        rows={rows}
        wide={['Path', 'Episode', 'Notes']}
      />
      {shown.length < all ? (
        <p className="mt-2 text-muted">
          Showing the first {shown.length} of {all}.
        </p>
      ) : null}
    </>
  )
}

function Kind({ kind }: { kind: ItemKind }) {
  const isBad = kind === 'conflict' || kind === 'rejected'
  return (
    <span className={isBad ? 'text-bad' : undefined} title={KIND_WORDS[kind].meaning}>
      {KIND_WORDS[kind].word}
    </span>
  )
}

function Episode({ item, isCommitted }: { item: PreviewItem; isCommitted: boolean }) {
  const name = item.slot ?? item.episodeId
  if (name === null) return UNKNOWN
  const isKept = item.kind === 'duplicate' || (isCommitted && item.kind === 'new')
  if (!isKept || item.episodeId === null) return visibleText(name)
  return (
    <a className="link" href={`/episodes/${item.episodeId}`}>
      {visibleText(name)}
    </a>
  )
}

const RUN_HEAD = ['Run', 'Suite', 'Entry', 'Planned', 'Contents', 'Notes'] as const

type PreviewRunsProps = { runs: readonly PreviewRun[]; isCommitted: boolean }

/** The runs of an upload, with links to those that are stored. */
export function PreviewRuns({ runs, isCommitted }: PreviewRunsProps) {
  const rows = runs.map((run) => ({
    key: run.runId,
    cells: {
      Run: <RunName isKept={isCommitted || run.state === 'known'} run={run} />,
      Suite: <SuiteName run={run} />,
      Entry: run.subject === null ? UNKNOWN : visibleText(run.subject),
      Planned: run.planned ?? UNKNOWN,
      Contents: formatUploadCounts(run.counts),
      Notes: run.notes.length > 0 ? visibleText(run.notes.join(' ')) : UNKNOWN,
    },
  }))
  return (
    <PlainTable caption="Runs in this upload" head={RUN_HEAD} rows={rows} wide={['Run', 'Notes']} />
  )
}

function RunName({ run: { runId, shard, state }, isKept }: { run: PreviewRun; isKept: boolean }) {
  return (
    <>
      {isKept ? (
        <a className="link" href={`/runs/${runId}`}>
          {runId}
        </a>
      ) : (
        visibleText(runId)
      )}
      {shard ? <span className="text-muted"> shard {shard}</span> : null}
      {isKept ? null : <span className="text-muted"> {state}</span>}
    </>
  )
}

function SuiteName({ run: { suiteId, suite } }: { run: PreviewRun }) {
  if (suiteId === null) return UNKNOWN
  if (suite === 'unknown' || suite === 'reported') return visibleText(suiteId)
  return (
    <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}`}>
      {suiteId}
    </a>
  )
}

const LEFT_OUT_HEAD = ['Left out', 'Reason'] as const

/** Parts of the upload that are not imported, each with the reason. */
export function PreviewLeftOut({ leftOut }: { leftOut: UploadPreview['leftOut'] }) {
  const rows = leftOut.runs.map(({ path, reason }, index) => ({
    key: `${index} ${path}`,
    cells: {
      'Left out': <code className="text-xs">{visibleText(path)}</code>,
      Reason: visibleText(reason),
    },
  }))
  return (
    <>
      <PlainTable
        caption="Not taken from this upload"
        head={LEFT_OUT_HEAD}
        rows={rows}
        wide={['Left out', 'Reason']}
      />
      {leftOut.runs.length < leftOut.count ? (
        <p className="mt-2 text-muted">
          Showing the first {leftOut.runs.length} of {leftOut.count}.
        </p>
      ) : null}
    </>
  )
}

/** The filter of the episodes of a preview, stored in the URL. */
export const loadUploadFilter = createLoader({ kind: parseAsStringLiteral(ITEM_KINDS) })

const KIND_WORDS: Record<ItemKind, { word: string; meaning: string }> = {
  new: { word: 'new', meaning: 'Will be stored.' },
  duplicate: { word: 'duplicate', meaning: 'Already stored with the same content.' },
  conflict: {
    word: 'conflict',
    meaning: 'Other data is stored under this id. The stored data stays.',
  },
  rejected: { word: 'rejected', meaning: 'Invalid, cannot be stored.' },
}

/** `2 new, 1 duplicate`, without kinds that do not occur. */
function formatUploadCounts(counts: UploadPreview['counts']): string {
  const parts = Object.entries(counts).flatMap(([kind, count]) =>
    count > 0 ? `${count} ${kind}` : [],
  )
  return parts.join(', ') || 'no episodes'
}

/** Counts including what is left out: `45 new, 5 duplicate, 1 left out`. */
export function formatPreviewCounts({
  counts,
  leftOut,
}: Pick<UploadPreview, 'counts' | 'leftOut'>): string {
  return leftOut.count > 0
    ? `${formatUploadCounts(counts)}, ${leftOut.count} left out`
    : formatUploadCounts(counts)
}
