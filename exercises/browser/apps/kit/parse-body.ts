import type { IncomingMessage } from 'node:http'
import type { AppRequest } from '../app.ts'
import { BadBodyError } from './bad-body-error.ts'
import { collectFields, parseMultipart } from './parse-multipart.ts'

const MOST_BYTES = 8 << 20

type Parsed = Pick<AppRequest, 'body' | 'files'>

/** Reads a body of at most 8 MiB: a form, JSON (an object), or a form with files. Throws BadBodyError. */
export async function parseBody(request: IncomingMessage): Promise<Parsed> {
  const bytes = await readBytes(request)
  const given = request.headers['content-type'] ?? ''
  const type = given.split(';')[0]?.trim().toLowerCase()
  if (bytes.length === 0) return { body: {}, files: [] }
  if (type === 'application/x-www-form-urlencoded') {
    return { body: collectFields(new URLSearchParams(bytes.toString('utf8'))), files: [] }
  }
  if (type === 'application/json') return { body: parseObject(bytes.toString('utf8')), files: [] }
  if (type !== 'multipart/form-data') return { body: {}, files: [] }
  const boundary = /boundary="?([\w'()+,./:=?-]{1,70})"?/.exec(given)?.[1]
  if (boundary === undefined) throw new BadBodyError('no boundary')
  return parseMultipart(bytes, boundary)
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MOST_BYTES) throw new BadBodyError('too large', 413)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // told below
  }
  throw new BadBodyError('no JSON object')
}
