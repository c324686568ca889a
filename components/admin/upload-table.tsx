import {
  canCommit,
  type UploadPreview,
  type UploadState,
  type UploadView,
} from '#lib/domain/api/index.ts'
import { Table } from '../table/table.tsx'
import { instantColumn, textColumn } from '../ui/columns.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { formatSize, UNKNOWN, visibleText } from '../ui/format.ts'
import { LINES } from '../ui/plain-table.tsx'
import { formatPreviewCounts } from './uploads.tsx'

const UPLOAD_COLUMNS: readonly DataColumn<UploadView>[] = [
  {
    head: 'File',
    sort: ({ fileName }) => fileName,
    cell: ({ id, fileName }) => (
      <a className="link" href={`/admin/uploads/${id}`}>
        {visibleText(fileName)}
      </a>
    ),
    cellClass: 'untrusted col-span-2',
  },
  {
    head: 'Size',
    name: 'Size, bytes',
    sort: ({ bytes }) => (bytes > 0 ? bytes : null),
    descends: true,
    cell: ({ bytes }) => (bytes > 0 ? formatSize(bytes) : UNKNOWN),
    numeric: true,
    cellClass: 'whitespace-nowrap',
  },
  {
    head: 'Contents',
    csv: contentsOf,
    // Limits a long sentence, so that the short columns keep their width.
    cell: (upload) => <div className="md:max-w-lg">{visibleText(contentsOf(upload))}</div>,
    cellClass: 'untrusted col-span-2',
  },
  { head: 'State', sort: formatState, facet: formatState, cell: formatState },
  textColumn('Uploaded by', ({ createdBy }) => createdBy),
  instantColumn('Time', ({ createdAt }) => createdAt),
]

/** Recent uploads. */
export function UploadTable({ uploads }: { uploads: readonly UploadView[] }) {
  return (
    <Table
      caption="Uploads, newest first"
      columns={UPLOAD_COLUMNS}
      keyOf={({ id }) => id}
      name="uploads"
      rows={uploads}
      what="upload"
      {...LINES}
    />
  )
}

function contentsOf({ preview }: UploadView): string {
  return preview.problem ?? formatPreviewCounts(preview)
}

/** Says `awaiting commit` only if a commit would add something. */
export function formatState({
  state,
  preview,
}: {
  state: UploadState
  preview: Pick<UploadPreview, 'problem' | 'counts' | 'runs'> & {
    evidence: Pick<UploadPreview['evidence'], 'added'>
  }
}): string {
  if (state !== 'previewed') return state
  if (!canCommit(preview)) return 'rejected'
  return preview.counts.new + preview.evidence.added > 0 ? 'awaiting commit' : 'nothing to add'
}
