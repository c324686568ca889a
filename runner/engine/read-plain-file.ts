import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { countOf } from '#lib/domain/text/index.ts'

type PlainFile =
  | { kind: 'read'; bytes: Buffer }
  | { kind: 'missing' }
  | { kind: 'refused'; reason: string }

/**
 * Reads one file that a subject may have changed: a regular file, reached through real folders only, no link followed,
 * at most `limit` bytes, at most `names` hard links. Pipes and devices are never opened.
 */
export async function readPlainFile(
  root: string,
  path: string,
  limit: number,
  names = 1,
): Promise<PlainFile> {
  const link = await linkOnTheWay(root, path)
  if (link) return { kind: 'refused', reason: `${link} is a link` }
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const codeOf = (error: NodeJS.ErrnoException) => error.code ?? 'EIO'
  const file = await open(join(root, path), flags).catch(codeOf)
  if (typeof file === 'string') return describeFailure(file)
  try {
    const stat = await file.stat()
    const { size, nlink } = stat
    if (!stat.isFile()) return { kind: 'refused', reason: 'is not a regular file' }
    if (nlink > names) return { kind: 'refused', reason: 'is a hard link to another file' }
    if (size > limit)
      return {
        kind: 'refused',
        reason: `has ${countOf(size, 'byte')}, more than the ${limit} allowed`,
      }
    return { kind: 'read', bytes: await file.readFile() }
  } finally {
    await file.close()
  }
}

function describeFailure(code: string): PlainFile {
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
  // O_NOFOLLOW fails with ELOOP on Linux and macOS, with EMLINK on some BSDs.
  return { kind: 'refused', reason: code === 'ELOOP' || code === 'EMLINK' ? 'is a link' : code }
}

/** Returns the first part of the path, including the root, that is not a real folder. */
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

/**
 * Returns true for files that an agent's own program leaves in a workspace: files, or everything below a folder whose
 * name ends in a slash.
 */
export function isDropping(path: string, droppings: readonly string[]): boolean {
  return droppings.some((name) => (name.endsWith('/') ? path.startsWith(name) : path === name))
}
