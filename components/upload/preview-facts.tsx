import { formatBytes, UNKNOWN } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import type { UploadView } from '#lib/domain/views/upload-view.ts'

/** The format, sender and evidence files of an upload. */
export function PreviewFacts({ upload }: { upload: UploadView }) {
  const { preview, bytes, createdBy } = upload
  const { matched, missing, wrong, extra, added } = preview.evidence
  const facts: Fact[] = [
    { name: 'Format', value: preview.format },
    { name: 'Size', value: bytes > 0 ? formatBytes(bytes) : UNKNOWN },
    { name: 'Uploaded by', value: visibleText(createdBy) },
    {
      name: 'Provenance',
      value:
        'manual: not ranked, because only results uploaded with a token or by a workflow can be ranked',
    },
    {
      name: 'Evidence files',
      value: `${matched} matched, ${missing} missing, ${wrong} wrong, ${extra} extra`,
    },
  ]
  if (added > 0)
    facts.push({ name: 'Added later', value: `${added} evidence files of stored episodes` })
  return <div className="mt-6 max-w-3xl">{<FactList facts={facts} />}</div>
}
