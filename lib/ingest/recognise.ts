import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Told } from '#lib/domain/formats/told.ts'
import { AppError } from '#lib/errors.ts'
import type { Body } from './body/read-body.ts'
import { unpackArchive } from './body/unpack-archive.ts'
import { Desk } from './desk.ts'
import type { Content, Format } from './format.ts'
import { FORMATS } from './formats.ts'
import { JsonDocument } from './json/json-document.ts'
import { outlineJsonInSteps } from './json/parse-strict-json.ts'
import { MOST_EPISODES } from './limits.ts'

/** What was recognised, and its content ready to be read. */
export type Recognised = { format: Format; content: Content; desk: Desk }

/** Tells what a body on disk is; archives are unpacked into `folder`. Throws an AppError when it is nothing we read. */
export async function recognise(body: Body, folder: string, told: Told = {}): Promise<Recognised> {
  const content = await open(body, folder)
  const format = FORMATS.find(({ detect }) => detect(content))
  if (format) return { format, content, desk: new Desk(join(folder, 'desk'), told) }
  const known = FORMATS.map(({ title }) => title).join(', ')
  const message = `unsupported format, expected one of these: ${known}; ${sayShape(content)}`
  // What can be read and is nothing we know is another thing than a type that cannot be read.
  throw new AppError(content.kind === 'text' ? 'unsupported-type' : 'invalid-episode', message)
}

async function open(body: Body, folder: string): Promise<Content> {
  const { kind, file } = body
  if (kind !== 'text')
    return { kind: 'archive', files: await unpackArchive({ ...body, kind }, join(folder, 'files')) }
  const bytes = await readFile(file)
  if (bytes.toString('latin1', 0, 100).trimStart().startsWith('<')) return { kind: 'text', file }
  const outlined = await outlineJsonInSteps(bytes, { most: MOST_EPISODES })
  if (!outlined.ok) {
    const message = outlined.problems[0]?.message ?? 'it is damaged'
    const code = outlined.isTooMuch ? 'too-large' : 'invalid-request'
    throw new AppError(code, `the upload is not valid JSON: ${message}`)
  }
  const documents = outlined.value.map((outline) => new JsonDocument(bytes, outline))
  return { kind: 'json', file, documents }
}

function sayShape(content: Content): string {
  if (content.kind === 'archive') return `it is an archive of ${content.files.size} other files`
  if (content.kind === 'text') return 'it is text that starts with "<"'
  const [first] = content.documents
  if (first?.kind !== 'object') return `it is JSON without any envelope`
  const keys = first.keys().slice(0, 5)
  return keys.length > 0
    ? `it is a JSON object with ${keys.map((key) => JSON.stringify(key.slice(0, 40))).join(', ')}`
    : 'it is an empty JSON object'
}
