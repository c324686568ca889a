import Link from 'next/link'
import { formatBytes, UNKNOWN } from '#components/format/number.ts'
import { formatInstant } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { PlainTable } from '#components/ui/plain-table.tsx'
import type { UploadView } from '#lib/domain/views/upload-view.ts'
import { STATE_WORDS, sayCounts } from './upload-words.ts'

const HEAD = ['File', 'Size', 'Contents', 'State', 'Uploaded by', 'Time'] as const

/** Recent uploads. */
export function UploadTable({ uploads }: { uploads: readonly UploadView[] }) {
  const rows = uploads.map((upload) => ({
    key: upload.id,
    cells: {
      File: (
        <Link href={`/admin/uploads/${upload.id}`} prefetch={false}>
          {visibleText(upload.fileName)}
        </Link>
      ),
      Size: upload.bytes > 0 ? formatBytes(upload.bytes) : UNKNOWN,
      Contents: upload.preview.problem
        ? visibleText(upload.preview.problem)
        : sayCounts(upload.preview.counts),
      State: STATE_WORDS[upload.state],
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
      head={HEAD}
      rows={rows}
      wide={['File', 'Contents']}
    />
  )
}
