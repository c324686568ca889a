import { readFileSync } from 'node:fs'
import { AppError } from '#lib/errors.ts'
import type { StoredFile } from '../body/stored-file.ts'
import { BODY_LIMITS, sayMegabytes } from '../limits.ts'
import { JsonDocument } from './json-document.ts'
import { outlineJson } from './parse-strict-json.ts'

/** The one JSON document of a file; throws an AppError that says where and what is wrong with it. */
export function readDocument(path: string, { file, sizeBytes }: StoredFile): JsonDocument {
  const most = BODY_LIMITS.plainBytes
  if (sizeBytes > most)
    throw new AppError('too-large', `${path} in the archive is larger than ${sayMegabytes(most)}`)
  const bytes = readFileSync(file)
  const outlined = outlineJson(bytes)
  const outline = outlined.ok ? outlined.value[0] : undefined
  if (outline) return new JsonDocument(bytes, outline)
  const why = outlined.ok ? 'it is empty' : outlined.problems[0]?.message
  const code = !outlined.ok && outlined.isTooMuch ? 'too-large' : 'invalid-request'
  throw new AppError(code, `${path} is not valid JSON: ${why}`)
}
