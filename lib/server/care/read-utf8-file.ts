import { readFileSync } from 'node:fs'
import { AppError } from '../../errors.ts'

/** Reads a file as UTF-8. Throws for invalid bytes, which a replacement character would hide. */
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
