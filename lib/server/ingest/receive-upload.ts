import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import { saveUpload } from '../../db/submission-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import { shareUploadBytes } from '../../db/upload-bytes-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import { canCommit, type UploadEffect, type UploadPreview } from '../../domain/api/index.ts'
import { readSubmissionDetails, type SubmissionDetails } from '../../domain/formats/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { unreadablePreview } from './describe-preview.ts'
import { foreseeEffect } from './foresee-effect.ts'
import { BODY_LIMITS } from './limits.ts'
import { previewResults } from './preview-results.ts'
import { type Body, limitBytes, readUploadBody, tooLarge, withTimeLimit } from './read-body.ts'
import { withSubmissionMutex } from './receive-submission.ts'
import { uploadFile } from './upload-files.ts'
import { writeReport } from './uploads.ts'

type UploadOptions = {
  fileName: string
  contentType: string
  /** Details from the form that the file's format has no field for. */
  details?: SubmissionDetails
  actor: Actor
  requestId: string | null
  now: Date
}

/** Runs work under the mutex: validating one of the largest files takes a few hundred megabytes. */
type Mutex = <T>(work: () => Promise<T>) => Promise<T>

/** Errors of the file itself; others (a full disk, a locked database) are thrown. */
const FILE_CODES = new Set([
  'invalid-request',
  'too-large',
  'unsupported-type',
  'invalid-episode',
  'conflict',
])

/**
 * Receives a file and validates it; its changes wait for confirmation. A file that cannot be read is listed as such,
 * and its bytes are not stored. Returns the upload's id.
 */
export async function receiveUpload(
  source: AsyncIterable<Uint8Array>,
  options: UploadOptions,
  mutex: Mutex = withSubmissionMutex,
): Promise<string> {
  const id = `up_${randomBytes(12).toString('hex')}`
  await mkdir(env().uploadsDir, { recursive: true, mode: 0o700 })
  const { body, preview, effect } = await lookThrough(source, uploadFile(id), options, mutex)
  if (!canCommit(preview)) await rm(uploadFile(id), { force: true })
  const { actor, requestId, now, fileName } = options
  const work = inTransaction(database(), async (tx) => {
    await saveUpload(tx, {
      id,
      fileName: cleanName(fileName),
      bytes: body?.sentBytes ?? 0,
      digest: body?.digest ?? '',
      state: 'previewed',
      report: writeReport(body, preview, { details: options.details ?? {}, effect }),
      createdBy: actor.name,
      createdAt: now,
      committedAt: null,
    })
    const detail = { fileName: cleanName(fileName), bytes: body?.sentBytes ?? null }
    await recordAudit(tx, { actor, action: 'upload.receive', target: id, detail, requestId }, now)
  })
  await withDatabaseErrors(() => work)
  if (canCommit(preview)) await shareUploadBytes(database(), id, uploadFile(id))
  return id
}

async function lookThrough(
  source: AsyncIterable<Uint8Array>,
  file: string,
  { contentType, details, actor, now }: UploadOptions,
  mutex: Mutex,
): Promise<{ body: Body | null; preview: UploadPreview; effect: UploadEffect | null }> {
  let body: Body | null = null
  try {
    body = await readUploadBody(source, { file, contentType })
    const request = { body, provenance: 'manual' as const, actor, details, now }
    return await mutex(async () => {
      const preview = await previewResults(database(), request)
      return { body, preview, effect: await foreseeEffect(database(), request, preview) }
    })
  } catch (error) {
    await rm(file, { force: true })
    if (!(error instanceof AppError) || !FILE_CODES.has(error.code)) throw error
    return { body, preview: unreadablePreview(error.message), effect: null }
  }
}

/** Shortens an untrusted file name for a row; pages make its unusual characters visible. */
function cleanName(name: string): string {
  return Buffer.from(name.slice(0, 200)).toString('utf8') || 'unnamed'
}

const MAX_FILES = 20
/** All files of one form together. */
const MAX_BYTES = 5 * BODY_LIMITS.sentBytes

/**
 * Streams every file of a form to disk, and validates one after the other. Returns the uploads' ids in the order of the
 * files. Throws an AppError when it is not a form or has no file, or when too many uploads wait.
 */
export async function receiveForm(
  request: Request,
  options: Pick<UploadOptions, 'actor' | 'requestId' | 'now'>,
): Promise<string[]> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type) || request.body === null) {
    throw new AppError('unsupported-type', 'Send a form with files: "multipart/form-data".')
  }
  const form = openForm(type)
  const taken: Promise<string>[] = []
  const mutex = createMutex()
  const fields: Record<string, string> = {}
  // Details of a file must precede it in the form, because it is validated as soon as it arrives.
  form.on('field', (name, value) => {
    if (typeof value === 'string' && value.trim() !== '') fields[name] = value
  })
  const take = async (stream: BusboyFileStream, fileName: string, contentType: string) => {
    try {
      const pieces = stream.iterator({ destroyOnReturn: false })
      const details = readSubmissionDetails(fields, {})
      return await receiveUpload(pieces, { ...options, fileName, contentType, details }, mutex)
    } finally {
      // A part without a reader has to be drained, or the next file would never arrive.
      stream.resume()
    }
  }
  form.on('file', (_field, stream, fileName, _encoding, contentType) => {
    stream.on('error', () => {}) // its reader gets the error; without a reader it does not matter
    if (!fileName) {
      stream.resume() // a field without a selected file
      return
    }
    const taking = take(stream, fileName, contentType)
    taking.catch(() => {}) // reported below
    taken.push(taking)
  })
  const source = Readable.fromWeb(request.body as WebStream<Uint8Array>)
  const checked = limitBytes(withTimeLimit(source, BODY_LIMITS), (sum) => {
    if (sum > MAX_BYTES) throw tooLarge('the files together are larger than', MAX_BYTES)
  })
  try {
    await feed(form, checked)
  } finally {
    // Also for an interrupted form: work in progress finishes before the response is sent.
    await Promise.allSettled(taken)
  }
  const ids = await Promise.all(taken)
  if (ids.length > 0) return ids
  throw new AppError('invalid-request', 'No file was selected: nothing was uploaded.')
}

/**
 * Creates a mutex for one form, which validates one file at a time and so uses one of the slots shared by all uploads.
 */
function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(() => withSubmissionMutex(work))
    last = done.catch(() => {})
    return done
  }
}

function openForm(type: string): BusboyInstance {
  try {
    const limits = { files: MAX_FILES, fields: 20, fieldSize: 10_000, parts: MAX_FILES + 20 }
    return new Busboy({ headers: { 'content-type': type }, limits })
  } catch (cause) {
    throw new AppError('invalid-request', 'The form cannot be read: send it again.', { cause })
  }
}

function feed(form: BusboyInstance, source: AsyncIterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    const input = Readable.from(source, { objectMode: false })
    const fail = (cause: unknown) => {
      form.destroy()
      const message =
        'The form was incomplete: complete files were uploaded, send the others again.'
      reject(
        cause instanceof AppError ? cause : new AppError('invalid-request', message, { cause }),
      )
    }
    form.once('finish', resolve).once('error', fail)
    input.once('error', fail)
    input.pipe(form)
  })
}
