import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { ActionForm } from '#components/form/action-form.tsx'
import { visibleText } from '#components/format/visible-text.ts'
import { PageHeading } from '#components/ui/page-heading.tsx'
import { Section } from '#components/ui/section.tsx'
import { PreviewFacts } from '#components/upload/preview-facts.tsx'
import { PreviewItems } from '#components/upload/preview-items.tsx'
import { PreviewRuns } from '#components/upload/preview-runs.tsx'
import { loadUploadFilter } from '#components/upload/upload-filter.ts'
import { UploadStanding } from '#components/upload/upload-standing.tsx'
import { canCommit } from '#lib/domain/ingest/upload-preview.ts'
import { guardPage } from '#lib/http/guard-page.ts'
import { getUpload } from '#lib/ingest/uploads/get-uploads.ts'
import { commitUploadHere, discardUploadHere } from '../actions.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Upload' }

type Props = { params: Promise<{ uploadId: string }>; searchParams: Promise<SearchParams> }

/** The preview of one upload with its buttons, and afterwards what was stored. */
export default async function UploadPage({ params, searchParams }: Props) {
  const { role } = await guardPage()
  const [{ uploadId }, { kind }] = await Promise.all([params, loadUploadFilter(searchParams)])
  const upload = await getUpload(uploadId)
  if (!upload) notFound()
  const { preview, state } = upload
  const isWaiting = state === 'previewed' && role === 'admin'
  return (
    <>
      <PageHeading
        title={visibleText(upload.fileName)}
        trail={
          <Link href="/admin/uploads" prefetch={false}>
            Uploads
          </Link>
        }
      />
      <UploadStanding upload={upload} />
      {isWaiting ? (
        <div className="mt-4 flex flex-wrap items-start gap-3">
          {canCommit(preview) ? (
            <ActionForm action={commitUploadHere} submit="Commit">
              <input name="id" type="hidden" value={upload.id} />
              <input name="expected" type="hidden" value={preview.digest} />
            </ActionForm>
          ) : null}
          <ActionForm action={discardUploadHere} submit="Discard" tone="quiet">
            <input name="id" type="hidden" value={upload.id} />
          </ActionForm>
        </div>
      ) : null}
      <PreviewFacts upload={upload} />
      {preview.runs.length > 0 ? (
        <Section id="runs" title="Runs">
          <PreviewRuns isCommitted={state === 'committed'} runs={preview.runs} />
        </Section>
      ) : null}
      {preview.items.length > 0 ? (
        <Section id="items" title="Episodes">
          <PreviewItems
            isCommitted={state === 'committed'}
            kind={kind}
            preview={preview}
            uploadId={upload.id}
          />
        </Section>
      ) : null}
    </>
  )
}
