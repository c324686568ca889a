import { createHash } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  createReadStream,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { copyFile, readdir } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Digest, digestBytes, digestJson } from '#lib/domain/digest/index.ts'
import { countOf, formatBytes } from '#lib/domain/text/index.ts'
import { takeBreaks } from '../take-breaks.ts'

/** One file or link of a tree; folders exist only through their entries, as in git. */
export type TreeEntry =
  | { kind: 'file'; path: string; executable: boolean; digest: Digest; size: number }
  | { kind: 'link'; path: string; target: string }

/** Maximum size of a tree; `advice` ends the sentence of a refusal. */
export type TreeLimits = {
  maxFiles: number
  maxBytes: number
  advice?: (kind: 'files' | 'disk') => string
}

const DEFAULT_LIMITS: TreeLimits = { maxFiles: 60_000, maxBytes: 2 * 2 ** 30 }

const EXECUTABLE = 0o100
/** Larger files are read and copied asynchronously. */
const MAX_SYNC_BYTES = 1 << 20

/**
 * Reads a whole tree, in path order, without `.git` at its root. Throws an Error that names what a task's repository
 * cannot contain: special files, links that leave it, more than the limits. `seenAs` = where programs saw the root
 * that made it; their absolute links to files below it are read as relative ones.
 */
export async function readTree(
  root: string,
  limits = DEFAULT_LIMITS,
  seenAs: string | null = null,
): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = []
  let bytes = 0
  const pause = takeBreaks()
  for (const waiting = ['']; waiting.length > 0; ) {
    const below = waiting.pop() as string
    for (const path of await listPaths(root, below)) {
      await pause()
      const entry = await readEntry(root, path, seenAs)
      if (entry === 'folder') waiting.push(path)
      else entries.push(entry)
      bytes += sizeOf(entry)
    }
    requireSmall(entries.length, bytes, limits)
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Lists the entries of a folder of a tree, without git's own files at its root. */
export async function listPaths(root: string, below: string): Promise<string[]> {
  const names = await readdir(join(root, below))
  const paths = names.map((name) => (below ? `${below}/${name}` : name))
  return paths.filter((path) => path !== '.git')
}

function sizeOf(entry: TreeEntry | 'folder'): number {
  return typeof entry === 'object' && entry.kind === 'file' ? entry.size : 0
}

function requireSmall(count: number, bytes: number, limits: TreeLimits): void {
  const { maxFiles, maxBytes, advice = () => '' } = limits
  if (count > maxFiles)
    throw new Error(`has more than ${countOf(maxFiles, 'file')}${advice('files')}`)
  if (bytes > maxBytes)
    throw new Error(`has more than ${formatBytes(maxBytes)} of files${advice('disk')}`)
}

async function readEntry(
  root: string,
  path: string,
  seenAs: string | null,
): Promise<TreeEntry | 'folder'> {
  const full = join(root, path)
  const stat = lstatSync(full)
  if (stat.isDirectory()) return 'folder'
  if (stat.isSymbolicLink()) {
    const target = withinTree(path, readlinkSync(full), seenAs)
    if (leadsOut(path, target)) throw new Error(`${path} is a link that leads out of it`)
    return { kind: 'link', path, target }
  }
  if (!stat.isFile()) throw new Error(`${path} is neither a file nor a link`)
  const executable = (stat.mode & EXECUTABLE) !== 0
  const digest =
    stat.size > MAX_SYNC_BYTES ? await digestFile(full) : digestBytes(readFileSync(full))
  return { kind: 'file', path, executable, digest, size: stat.size }
}

function withinTree(path: string, target: string, seenAs: string | null): string {
  if (seenAs === null || !posix.isAbsolute(target)) return target
  const below = posix.relative(seenAs, target)
  const isInside = below !== '..' && !below.startsWith('../')
  return isInside ? posix.relative(posix.dirname(path), below) || '.' : target
}

/** Returns whether a link at `path` leads out of the tree, by its text alone. */
export function leadsOut(path: string, target: string): boolean {
  if (target.startsWith('/')) return true
  const end = posix.normalize(posix.join(posix.dirname(path), target))
  return end === '..' || end.startsWith('../')
}

/** Digest of a file, read in chunks. */
export async function digestFile(path: string): Promise<Digest> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return `sha256:${hash.digest('hex')}` as Digest
}

/** The seal of a tree: paths, contents, executable bits, links. */
export function digestTree(entries: readonly TreeEntry[]): Digest {
  return digestJson(
    entries.map((entry) =>
      entry.kind === 'link'
        ? [entry.path, 'link', entry.target]
        : [entry.path, entry.executable ? 'program' : 'file', entry.digest],
    ),
  )
}

/** Copies a tree into a new folder; anything outside `entries` is left behind. */
export async function copyTree(
  entries: readonly TreeEntry[],
  from: string,
  to: string,
): Promise<void> {
  const folders = new Set(entries.map(({ path }) => dirname(path)))
  for (const folder of folders) mkdirSync(join(to, folder), { recursive: true })
  const pause = takeBreaks()
  for (const entry of entries) {
    await pause()
    const target = join(to, entry.path)
    if (entry.kind === 'link') symlinkSync(entry.target, target)
    else {
      const source = join(from, entry.path)
      if (entry.size > MAX_SYNC_BYTES) await copyFile(source, target, constants.COPYFILE_FICLONE)
      else copyFileSync(source, target, constants.COPYFILE_FICLONE)
      chmodSync(target, entry.executable ? 0o755 : 0o644)
    }
  }
}
