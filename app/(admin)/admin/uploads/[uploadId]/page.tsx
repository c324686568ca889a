import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import {
  loadUploadFilter,
  PreviewFacts,
  PreviewItems,
  PreviewLeftOut,
  PreviewRuns,
  UploadStatus,
} from '#components/admin/uploads.tsx'
import { ActionForm } from '#components/ui/form.tsx'
import { visibleText } from '#components/ui/format.ts'
import { PageHeading, Section } from '#components/ui/layout.tsx'
import { canCommit } from '#lib/domain/api/index.ts'
import { guardPage } from '#lib/server/http/guard.ts'
import { getUpload } from '#lib/server/ingest/uploads.ts'
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
      <UploadStatus upload={upload} />
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
      {preview.leftOut.count > 0 ? (
        <Section id="left-out" title="Left out">
          <PreviewLeftOut leftOut={preview.leftOut} />
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
