import {
  canCommit,
  type UploadPreview,
  type UploadState,
  type UploadView,
} from '#lib/domain/api/index.ts'
import { formatInstant, formatSize, UNKNOWN, visibleText } from '../ui/format.ts'
import { PlainTable } from '../ui/table.tsx'
import { formatPreviewCounts } from './uploads.tsx'

const UPLOAD_HEAD = ['File', 'Size', 'Contents', 'State', 'Uploaded by', 'Time'] as const

/** Recent uploads. */
export function UploadTable({ uploads }: { uploads: readonly UploadView[] }) {
  const rows = uploads.map((upload) => ({
    key: upload.id,
    cells: {
      File: (
        <a className="link" href={`/admin/uploads/${upload.id}`}>
          {visibleText(upload.fileName)}
        </a>
      ),
      Size: upload.bytes > 0 ? formatSize(upload.bytes) : UNKNOWN,
      // A long sentence leaves the short columns their words.
      Contents: (
        <div className="md:max-w-lg">
          {upload.preview.problem
            ? visibleText(upload.preview.problem)
            : formatPreviewCounts(upload.preview)}
        </div>
      ),
      State: formatState(upload),
      'Uploaded by': visibleText(upload.createdBy),
      Time: (
        <time className="whitespace-nowrap" dateTime={upload.createdAt} title={upload.createdAt}>
          {formatInstant(upload.createdAt)}
        </time>
      ),
    },
  }))
  return (
    <PlainTable
      caption="Uploads, newest first"
      head={UPLOAD_HEAD}
      rows={rows}
      wide={['File', 'Contents']}
    />
  )
}

/** `awaiting commit` only where a commit would add something. */
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
