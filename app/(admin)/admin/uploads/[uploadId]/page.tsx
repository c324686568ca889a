import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { UploadEffects } from '#components/admin/upload-effect.tsx'
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
import { Disclosure, PageHeading, Section } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { canCommit, effectBase, type UploadView } from '#lib/domain/api/index.ts'
import { showTo } from '#lib/server/accounts/show-to.ts'
import { listSuiteTitles } from '#lib/server/board/suites.ts'
import { guardPage } from '#lib/server/http/guard.ts'
import { getUpload, isOutdated } from '#lib/server/ingest/uploads.ts'
import { commitUploadAction, discardUploadAction, refreshUploadAction } from '../actions.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Upload' }

type Props = { params: Promise<{ uploadId: string }>; searchParams: Promise<SearchParams> }

/** The preview of one upload with its buttons, and afterwards what was stored. */
export default async function UploadPage({ params, searchParams }: Props) {
  const actor = await guardPage()
  const [{ uploadId }, { kind }] = await Promise.all([params, loadUploadFilter(searchParams)])
  const upload = await showTo(actor, await getUpload(uploadId))
  if (!upload) return notFound()
  const { preview, state } = upload
  const isWaiting = state === 'previewed' && actor.role === 'admin'
  const isStale = await isOutdated(upload)
  return (
    <>
      <PageHeading
        title={visibleText(upload.fileName)}
        trail={
          <a className="link" href="/admin/uploads">
            Uploads
          </a>
        }
      />
      <UploadStatus upload={upload} />
      <Effect isStale={isStale} isWaiting={isWaiting} upload={upload} />
      {isWaiting ? <Decide isStale={isStale} upload={upload} /> : null}
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

type EffectProps = { upload: UploadView; isStale: boolean; isWaiting: boolean }

async function Effect({ upload: { id, effect, state }, isStale, isWaiting }: EffectProps) {
  if (effect === null) return null
  const isCommitted = state === 'committed'
  return (
    <Section
      id="effect"
      title={isCommitted ? 'What it did to the entries' : 'What happens to the entries'}
    >
      {isStale ? <Stale id={isWaiting ? id : null} /> : null}
      <UploadEffects effect={effect} isCommitted={isCommitted} titles={await listSuiteTitles()} />
    </Section>
  )
}

function Decide({ upload: { id, preview, effect }, isStale }: Omit<EffectProps, 'isWaiting'>) {
  return (
    <div className="mt-4 flex flex-wrap items-start gap-3">
      {canCommit(preview) && !isStale ? (
        <ActionForm action={commitUploadAction} submit="Commit" tone="primary">
          <input name="id" type="hidden" value={id} />
          <input name="expected" type="hidden" value={preview.digest} />
          {effect ? <input name="base" type="hidden" value={effectBase(effect)} /> : null}
        </ActionForm>
      ) : null}
      <Disclosure tone="danger" word="Discard…">
        <p>Nothing is stored, and the file is deleted.</p>
        <ActionForm action={discardUploadAction} submit="Discard this upload" tone="danger">
          <input name="id" type="hidden" value={id} />
        </ActionForm>
      </Disclosure>
    </div>
  )
}

/** `id` null = this user cannot do anything about it. */
function Stale({ id }: { id: string | null }) {
  return (
    <div className="mb-4">
      <Notice title="The leaderboard has changed since this preview">
        <p>
          The entries below are no longer what a commit leads to. Compute the preview again first.
        </p>
        {id === null ? null : (
          <ActionForm action={refreshUploadAction} submit="Compute again" tone="primary">
            <input name="id" type="hidden" value={id} />
          </ActionForm>
        )}
      </Notice>
    </div>
  )
}
