import { rm } from 'node:fs/promises'
import { recordAudit } from '#lib/db/audit-store.ts'
import { database } from '#lib/db/database.ts'
import { endUpload } from '#lib/db/upload-store.ts'
import type { Actor } from '#lib/domain/access.ts'
import { AppError } from '#lib/errors.ts'
import { uploadFile } from './upload-report.ts'

type Discard = { id: string; actor: Actor; requestId: string | null; now: Date }

/** Takes back an upload that waits: its bytes are removed, the row says that it was there. */
export async function discardUpload({ id, actor, requestId, now }: Discard): Promise<void> {
  await database().$transaction(async (tx) => {
    if (!(await endUpload(tx, id, { state: 'discarded' })))
      throw new AppError(
        'conflict',
        'The upload was already committed or discarded: nothing was changed.',
      )
    await recordAudit(tx, { actor, action: 'upload.discard', target: id, requestId }, now)
  })
  await rm(uploadFile(id), { force: true })
}
