import type { Metadata } from 'next'
import { UploadDrop } from '#components/admin/admin-forms.tsx'
import { UploadTable } from '#components/admin/upload-table.tsx'
import { PageHeading, Section } from '#components/ui/layout.tsx'
import { showTo } from '#lib/server/accounts/show-to.ts'
import { guardPage } from '#lib/server/http/guard.ts'
import { BODY_LIMITS, formatMegabytes } from '#lib/server/ingest/limits.ts'
import { listUploads } from '#lib/server/ingest/uploads.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Uploads' }

/** Imports results that were produced elsewhere. */
export default async function UploadsPage() {
  const actor = await guardPage()
  const uploads = await showTo(actor, await listUploads())
  return (
    <>
      <PageHeading title="Uploads">
        Import results from CI or another machine. Files are validated first, and nothing is stored
        until you commit.
      </PageHeading>
      {actor.role === 'admin' ? (
        <UploadDrop
          action="/api/admin/uploads"
          limit={formatMegabytes(BODY_LIMITS.sentBytes)}
          maxBytes={BODY_LIMITS.sentBytes}
        />
      ) : null}
      {uploads.length > 0 ? (
        <Section id="latest" title="Recent uploads">
          <UploadTable uploads={uploads} />
        </Section>
      ) : null}
    </>
  )
}
