import { readFileSync } from 'node:fs'
import { AppError } from '../../errors.ts'

/** A file's text; bytes that are not UTF-8 are refused, never replaced: a replaced byte would go unseen. */
export function readUtf8File(path: string): string {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    const { message } = cause as Error
    throw new AppError('not-found', `${path} cannot be read: ${message}`, { cause })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('invalid-request', `${path} is not UTF-8 text`, { cause })
  }
}
