import type { AppRequest } from '../app.ts'
import { BadBodyError } from './bad-body-error.ts'

const MOST_PARTS = 100
const MOST_HEADER_BYTES = 4096

type Parsed = Pick<AppRequest, 'body' | 'files'>

/** Reads a `multipart/form-data` body strictly, as browsers write it. Throws BadBodyError for anything else. */
export function parseMultipart(bytes: Buffer, boundary: string): Parsed {
  const fields = new URLSearchParams()
  const files: Parsed['files'] = []
  for (const part of splitParts(bytes, boundary)) {
    const { name, fileName, type, content } = readPart(part)
    if (fileName === null) fields.append(name, content.toString('utf8'))
    else if (fileName !== '') files.push({ field: name, name: fileName, type, bytes: content })
  }
  return { body: collectFields(fields), files }
}

/** Fields by name; one that is given several times is a list. */
export function collectFields(fields: URLSearchParams): Record<string, unknown> {
  const names = [...new Set(fields.keys())].slice(0, 500)
  return Object.fromEntries(
    names.map((name) => {
      const values = fields.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

function splitParts(bytes: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`)
  if (!bytes.subarray(0, mark.length).equals(mark)) throw new BadBodyError('no boundary')
  const parts: Buffer[] = []
  let at = mark.length
  while (bytes.subarray(at, at + 2).toString('latin1') === '\r\n') {
    const end = bytes.indexOf(`\r\n--${boundary}`, at, 'latin1')
    if (end < 0 || parts.length >= MOST_PARTS) throw new BadBodyError('a part has no end')
    parts.push(bytes.subarray(at + 2, end))
    at = end + 2 + mark.length
  }
  if (bytes.subarray(at, at + 2).toString('latin1') !== '--') throw new BadBodyError('no end')
  return parts
}

function readPart(part: Buffer) {
  const end = part.indexOf('\r\n\r\n')
  if (end < 0 || end > MOST_HEADER_BYTES) throw new BadBodyError('a part without a header')
  const header = part.subarray(0, end).toString('utf8')
  const name = /^content-disposition: form-data; name="([^"\r\n]+)"/im.exec(header)?.[1]
  if (name === undefined) throw new BadBodyError('a part without a name')
  return {
    name,
    fileName: /; filename="([^"\r\n]*)"/i.exec(header)?.[1] ?? null,
    type: /^content-type: ([^\r\n;]+)/im.exec(header)?.[1] ?? 'application/octet-stream',
    content: part.subarray(end + 4),
  }
}
