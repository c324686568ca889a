import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { parseRange } from '#lib/domain/api/parse-range.ts'
import { AppError } from '#lib/errors.ts'
import { isKnown } from './etag.ts'
import { respondError } from './respond-problem.ts'

type Bytes = { file: FileHandle; sizeBytes: number; version: string }

/**
 * A file's bytes as plain text, whole or the range that is asked for, read while they are taken. Closes the file,
 * whatever becomes of the answer.
 */
export async function respondBytes(
  request: Request,
  { file, sizeBytes, version }: Bytes,
): Promise<Response> {
  const etag = `"${version}"`
  const headers = {
    'Accept-Ranges': 'bytes',
    // A part of a file must reach its reader byte for byte: nobody may pack it on the way.
    'Cache-Control': 'no-cache, no-transform',
    'Content-Type': 'text/plain; charset=utf-8',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  }
  const ifRange = request.headers.get('if-range')
  const isSame = ifRange === null || ifRange === etag
  const range = isSame ? parseRange(request.headers.get('range'), sizeBytes) : null
  if (isKnown(request, etag) || range === 'none') {
    await file.close()
    if (range !== 'none') return new Response(null, { status: 304, headers })
    const message = `The file has ${sizeBytes} bytes: the requested range is outside the file.`
    const size = { 'Content-Range': `bytes */${sizeBytes}` }
    return respondError(new AppError('no-such-range', message), null, size)
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
  const told = range ? { 'Content-Range': `bytes ${start}-${end}/${sizeBytes}` } : {}
  return new Response(await bodyOf(file, start, end), {
    status: range ? 206 : 200,
    headers: { ...headers, ...told, 'Content-Length': String(end - start + 1) },
  })
}

async function bodyOf(
  file: FileHandle,
  start: number,
  end: number,
): Promise<ReadableStream | null> {
  if (end < start) {
    await file.close()
    return null
  }
  // The stream closes the file when it ended, broke, or its reader left.
  return Readable.toWeb(file.createReadStream({ start, end })) as ReadableStream
}
