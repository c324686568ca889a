import { visibleText } from '#components/format/visible-text.ts'
import { Notice } from '#components/ui/notice.tsx'
import { canCommit } from '#lib/domain/ingest/upload-preview.ts'
import type { UploadView } from '#lib/domain/views/upload-view.ts'
import { sayCounts } from './upload-words.ts'

/** The state of an upload, or what prevents it, in one or two lines. */
export function UploadStanding({ upload }: { upload: UploadView }) {
  const { preview, state } = upload
  if (state === 'committed')
    return (
      <Notice title={`Added: ${sayCounts({ ...preview.counts, duplicate: 0 })}`}>{BOARDS}</Notice>
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
      <Notice title={`This upload has errors: ${sayCounts(preview.counts)}`}>
        An upload is stored completely or not at all. Fix the conflicts and rejected episodes below
        and upload the file again.
      </Notice>
    )
  if (preview.counts.new === 0 && preview.evidence.added === 0)
    return <Notice title="Already stored">All episodes in this upload are already stored.</Notice>
  return (
    <Notice title={`Will be added: ${sayCounts(preview.counts)}`}>
      Nothing is stored until you commit. This preview expires in 24 h.
    </Notice>
  )
}

const BOARDS = 'The leaderboards update within seconds.'
