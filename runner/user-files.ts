import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs'

type ReadText = { ok: true; text: string } | { ok: false; problem: string }

/** Near V8's limit for the length of a string. */
const MAX_BYTES = 500 << 20

/** The text of a file that the user named, or the end of a sentence that says why not. */
export function readText(path: string): ReadText {
  try {
    const bytes = readPlain(path)
    if (typeof bytes === 'string') return { ok: false, problem: bytes }
    return { ok: true, text: new TextDecoder('utf-8', UTF_8).decode(bytes) }
  } catch (error) {
    return { ok: false, problem: describeError(error as NodeJS.ErrnoException) }
  }
}

/** Broken text is refused, not repaired; a byte order mark stays what it is. */
const UTF_8 = { fatal: true, ignoreBOM: true }

/** A text without the byte order mark that editors of Windows write first; JSON.parse refuses it. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}

/** A pipe is read too, as `--plan <(…)` needs it; a device might never end. */
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

/** Whether a path that the user named leads to a folder; one that leads nowhere does not. */
export function isFolder(path: string): boolean {
  return look(path)?.isDirectory() ?? false
}

/** Whether a path that the user named leads to a regular file. */
export function isFile(path: string): boolean {
  return look(path)?.isFile() ?? false
}

/** A text that is too long for a name, or a circle of links, is an error for `stat`, and no more than no file here. */
function look(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
