import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { readTold } from '#lib/domain/formats/told.ts'
import { AppError } from '#lib/errors.ts'
import { metered, timed } from '../body/metered.ts'
import { tooLarge } from '../body/read-body.ts'
import { BODY_LIMITS } from '../limits.ts'
import { receiveUpload, type UploadOrder } from './receive-upload.ts'

const MOST_FILES = 20
/** All files of one form together. */
const MOST_BYTES = 5 * BODY_LIMITS.sentBytes

/**
 * Takes in every file of a form as it comes, one after the other, none of them whole in memory. Answers the uploads' ids
 * in the order of the files. Throws an AppError when it is no form, or one without a file.
 */
export async function receiveForm(
  request: Request,
  order: Omit<UploadOrder, 'fileName' | 'contentType' | 'told'>,
): Promise<string[]> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type) || request.body === null) {
    throw new AppError('unsupported-type', 'Send a form with files: "multipart/form-data".')
  }
  const form = openForm(type)
  const taken: Promise<string>[] = []
  const said: Record<string, string> = {}
  // What is said of a file has to stand before it in the form: it is looked through as soon as it is here.
  form.on('field', (name, value) => {
    if (typeof value === 'string' && value.trim() !== '') said[name] = value
  })
  const take = async (stream: BusboyFileStream, fileName: string, contentType: string) => {
    try {
      const pieces = stream.iterator({ destroyOnReturn: false })
      return await receiveUpload(pieces, {
        ...order,
        fileName,
        contentType,
        told: readTold(said, {}),
      })
    } finally {
      // What nobody reads any more has to go by, or the next file would never come.
      stream.resume()
    }
  }
  form.on('file', (_field, stream, fileName, _encoding, contentType) => {
    stream.on('error', () => {}) // its reader is told; without a reader nobody has to be
    if (!fileName) {
      stream.resume() // a field that nobody chose a file for
      return
    }
    const taking = take(stream, fileName, contentType)
    taking.catch(() => {}) // told below
    taken.push(taking)
  })
  const source = Readable.fromWeb(request.body as WebStream<Uint8Array>)
  const checked = metered(timed(source, BODY_LIMITS), (sum) => {
    if (sum > MOST_BYTES) throw tooLarge('the files together are larger than', MOST_BYTES)
  })
  try {
    await feed(form, checked)
  } finally {
    // Also of a form that was cut off, what is under way comes to its end before anybody is answered.
    await Promise.allSettled(taken)
  }
  const ids = await Promise.all(taken)
  if (ids.length > 0) return ids
  throw new AppError('invalid-request', 'No file was selected: nothing was uploaded.')
}

function openForm(type: string): BusboyInstance {
  try {
    const limits = { files: MOST_FILES, fields: 20, fieldSize: 10_000, parts: MOST_FILES + 20 }
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
