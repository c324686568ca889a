import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs'

type ReadText = { ok: true; text: string } | { ok: false; problem: string }

/** Close to V8's limit for the length of a string. */
const MAX_BYTES = 500 << 20

/** The text of a file that the user named, or the end of a sentence that says why it is unreadable. */
export function readText(path: string): ReadText {
  try {
    const bytes = readPlain(path)
    if (typeof bytes === 'string') return { ok: false, problem: bytes }
    return { ok: true, text: new TextDecoder('utf-8', UTF_8).decode(bytes) }
  } catch (error) {
    return { ok: false, problem: describeError(error as NodeJS.ErrnoException) }
  }
}

/** Invalid UTF-8 is an error and is not replaced; a byte order mark is kept. */
const UTF_8 = { fatal: true, ignoreBOM: true }

/** Removes the byte order mark that some editors on Windows write; JSON.parse rejects it. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}

/** Reads files and pipes, as in `--plan <(…)`, but no devices, which might never end. */
function readPlain(path: string): Buffer | string {
  const file = openSync(path, 'r')
  try {
    const found = fstatSync(file)
    if (found.isCharacterDevice() || found.isBlockDevice()) return 'it is a device, not a file'
    if (found.size > MAX_BYTES) return `it is larger than ${MAX_BYTES >> 20} MB`
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder, not a file',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
}

function describeError({ code = 'unknown reason' }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? code
}

/** True if a path that the user named is a folder. */
export function isFolder(path: string): boolean {
  return look(path)?.isDirectory() ?? false
}

/** True if a path that the user named is a regular file. */
export function isFile(path: string): boolean {
  return look(path)?.isFile() ?? false
}

/** A name that is too long, or a circle of links, makes `stat` fail; here that means that there is no file. */
function look(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
