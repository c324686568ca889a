import type { Metadata } from 'next'
import { PageHeading } from '#components/ui/page-heading.tsx'
import { Section } from '#components/ui/section.tsx'
import { UploadDrop } from '#components/upload/upload-drop.tsx'
import { UploadTable } from '#components/upload/upload-table.tsx'
import { guardPage } from '#lib/http/guard-page.ts'
import { BODY_LIMITS } from '#lib/ingest/limits.ts'
import { listUploads } from '#lib/ingest/uploads/get-uploads.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Uploads' }

/** Imports results that were produced elsewhere. */
export default async function UploadsPage() {
  const { role } = await guardPage()
  const uploads = await listUploads()
  return (
    <>
      <PageHeading title="Uploads">
        Import results from CI or another machine. Files are validated first, and nothing is stored
        until you commit.
      </PageHeading>
      {role === 'admin' ? (
        <UploadDrop action="/api/admin/uploads" mostBytes={BODY_LIMITS.sentBytes} />
      ) : null}
      {uploads.length > 0 ? (
        <Section id="latest" title="Recent uploads">
          <UploadTable uploads={uploads} />
        </Section>
      ) : null}
    </>
  )
}
