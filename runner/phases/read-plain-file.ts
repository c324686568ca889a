import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type PlainFile =
  | { kind: 'read'; bytes: Buffer }
  | { kind: 'missing' }
  | { kind: 'refused'; reason: string }

/**
 * Reads one file a subject may have touched: a regular file, reached through real folders only, no link followed at
 * any step, no more than `limit` bytes. A pipe or device is never opened for reading.
 */
export async function readPlainFile(root: string, path: string, limit: number): Promise<PlainFile> {
  const link = await linkOnTheWay(root, path)
  if (link) return { kind: 'refused', reason: `${link} is a link` }
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(join(root, path), flags).catch(
    (error: NodeJS.ErrnoException) => error.code ?? 'EIO',
  )
  if (typeof file === 'string') return describeFailure(file)
  try {
    const { size, nlink } = await file.stat()
    if (!(await file.stat()).isFile()) return { kind: 'refused', reason: 'is not a regular file' }
    if (nlink > 1) return { kind: 'refused', reason: 'is a hard link to another file' }
    if (size > limit)
      return { kind: 'refused', reason: `has ${size} bytes, more than the ${limit} allowed` }
    return { kind: 'read', bytes: await file.readFile() }
  } finally {
    await file.close()
  }
}

function describeFailure(code: string): PlainFile {
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
  // O_NOFOLLOW answers ELOOP on Linux and macOS, EMLINK on some BSDs.
  return { kind: 'refused', reason: code === 'ELOOP' || code === 'EMLINK' ? 'is a link' : code }
}

/** The first part of the way, the root included, that is no real folder. */
async function linkOnTheWay(root: string, path: string): Promise<string | null> {
  const parents = dirname(path) === '.' ? [] : dirname(path).split('/')
  let current = root
  for (const part of ['', ...parents]) {
    current = part ? join(current, part) : current
    const stat = await lstat(current).catch(() => null)
    if (stat?.isSymbolicLink()) return part || 'the workspace'
  }
  return null
}
