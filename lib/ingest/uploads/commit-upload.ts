import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { database } from '#lib/db/database.ts'
import { endUpload, findUpload, saveUploadReport } from '#lib/db/upload-store.ts'
import type { Actor } from '#lib/domain/access.ts'
import { AppError } from '#lib/errors.ts'
import { type Committed, commitResults } from '../commit-results.ts'
import { readReport, uploadFile, writeReport } from './upload-report.ts'

type Yes = {
  id: string
  /** The digest of the preview that was on the page. */
  expected: string
  actor: Actor
  requestId: string | null
  now: Date
}

/** Writes what an upload's preview showed, or shows it again when something else would be written by now. */
export async function commitUpload({
  id,
  expected,
  actor,
  requestId,
  now,
}: Yes): Promise<Committed> {
  const db = database()
  const row = await findUpload(db, id)
  if (!row) throw new AppError('not-found', 'No such upload.')
  const { body, preview, told } = readReport(row)
  if (row.state === 'committed') return { status: 'duplicate', preview }
  if (row.state === 'discarded' || !body || !existsSync(body.file)) {
    throw new AppError('not-found', 'The file was already deleted: upload it again.')
  }
  const done = await commitResults(db, {
    body,
    actor,
    requestId,
    now,
    told,
    expected,
    provenance: 'manual',
    action: 'upload.commit',
    alsoWrite: async (tx, written) => {
      const end = { report: writeReport(body, written, told), committedAt: now }
      if (await endUpload(tx, id, { state: 'committed', ...end })) return
      throw new AppError('conflict', 'The upload was already committed or discarded.')
    },
  })
  if (done.status === 'committed') await rm(uploadFile(id), { force: true })
  else await saveUploadReport(db, id, writeReport(body, done.preview, told))
  return done
}
