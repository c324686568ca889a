import Link from 'next/link'
import { UNKNOWN } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { PlainTable } from '#components/ui/plain-table.tsx'
import {
  ITEM_KINDS,
  type ItemKind,
  type PreviewItem,
  type UploadPreview,
} from '#lib/domain/ingest/upload-preview.ts'
import { KIND_WORDS } from './upload-words.ts'

const HEAD = ['Status', 'Path', 'Episode', 'Outcome', 'Notes'] as const
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
        <Link
          aria-current={kind === null ? 'true' : undefined}
          className={PILL}
          href={here}
          prefetch={false}
        >
          All
        </Link>
        {ITEM_KINDS.filter((one) => counts[one] > 0).map((one) => (
          <Link
            aria-current={kind === one ? 'true' : undefined}
            className={PILL}
            href={`${here}?kind=${one}`}
            key={one}
            prefetch={false}
            title={KIND_WORDS[one].meaning}
          >
            {counts[one]} {KIND_WORDS[one].word}
          </Link>
        ))}
      </nav>
      <PlainTable
        caption="Episodes in this upload"
        head={HEAD}
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
    <Link href={`/episodes/${item.episodeId}`} prefetch={false}>
      {visibleText(name)}
    </Link>
  )
}
