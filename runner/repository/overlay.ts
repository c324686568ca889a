import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { applyPatch, parsePatch } from 'diff'
import { type Digest, digestBytes } from '#lib/domain/digest/index.ts'
import { relativePathSchema } from '#lib/domain/record/index.ts'

/** One file that is added to a repository, or removed from it if `bytes` is null. */
export type Change = { path: string; bytes: Buffer | null; executable: boolean }

const MAX_BYTES = 32 << 20
const MAX_FILES = 5000
const EXECUTABLE = 0o100

/** Reads the plain files below a folder as changes, in path order. Throws an Error for links and special files. */
export function readOverlay(folder: string): Change[] {
  if (!existsSync(folder)) return []
  const changes = listFiles(folder, '')
  const bytes = changes.reduce((sum, change) => sum + (change.bytes?.length ?? 0), 0)
  if (bytes > MAX_BYTES || changes.length > MAX_FILES)
    throw new Error(`has more than ${MAX_BYTES >> 20} MiB or ${MAX_FILES} files`)
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function listFiles(folder: string, below: string): Change[] {
  return readdirSync(join(folder, below)).flatMap((name): Change[] => {
    const path = below ? `${below}/${name}` : name
    const full = join(folder, path)
    const stat = lstatSync(full)
    if (stat.isDirectory()) return listFiles(folder, path)
    if (!stat.isFile()) throw new Error(`${path} is not a regular file`)
    if (isOfGit(path)) throw new Error(`${path} is a file of git`)
    return [{ path, bytes: readFileSync(full), executable: (stat.mode & EXECUTABLE) !== 0 }]
  })
}

/** Returns true for files that configure git: no patch may contain one. */
export function isOfGit(path: string): boolean {
  return path.split('/').some((part) => part.toLowerCase() === '.git')
}

/** Returns the part of a list of changes that a digest covers. */
export function digestChanges(changes: readonly Change[]): [string, Digest | null, boolean][] {
  return changes.map(({ path, bytes, executable }) => [
    path,
    bytes && digestBytes(bytes),
    executable,
  ])
}

/**
 * Writes changes into a tree that no subject has touched. A file or link in place of a needed folder is replaced:
 * nothing is written through a link of the repository.
 */
export async function applyChanges(root: string, changes: readonly Change[]): Promise<void> {
  for (const { path, bytes, executable } of changes) {
    const target = join(root, path)
    const isThere = await clearWay(root, dirname(path), bytes !== null)
    if (isThere) await rm(target, { recursive: true, force: true })
    if (bytes === null) continue
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, bytes, { mode: executable ? 0o755 : 0o644, flag: 'wx' })
  }
}

/**
 * Returns whether the folder of a path consists of real folders; with `makeRoom`, anything else on the path is removed.
 */
async function clearWay(root: string, folder: string, makeRoom: boolean): Promise<boolean> {
  const parts = folder === '.' ? [] : folder.split('/')
  for (let depth = 1; depth <= parts.length; depth++) {
    const below = join(root, ...parts.slice(0, depth))
    const found = await lstat(below).catch(() => null)
    if (found?.isDirectory()) continue
    if (found && makeRoom) await rm(below, { force: true })
    return false
  }
  return true
}

/**
 * Converts a unified diff to changes of a tree, whose files `read` returns (null = missing). Throws an Error that names
 * the file that does not match, or that no patch may name.
 */
export function patchToChanges(text: string, read: (path: string) => Buffer | null): Change[] {
  const changes = parsePatch(text).flatMap((part) => changesOf(part, read))
  if (changes.length === 0) throw new Error('the patch changes no file')
  return changes
}

function changesOf(part: FilePatch, read: (path: string) => Buffer | null): Change[] {
  const [from, to] = [pathOf(part.oldFileName), pathOf(part.newFileName)]
  for (const name of [from, to]) if (name !== null) requirePlain(name)
  const gone = { bytes: null, executable: false }
  if (to === null) return from === null ? [] : [{ path: from, ...gone }]
  const bytes = Buffer.from(patched(part, to, from === null ? null : { path: from, read }))
  const written = { path: to, bytes, executable: part.newMode === '100755' }
  return from !== null && from !== to ? [{ path: from, ...gone }, written] : [written]
}

type FilePatch = ReturnType<typeof parsePatch>[number]
type Before = { path: string; read: (path: string) => Buffer | null }

function patched(part: FilePatch, to: string, from: Before | null): string {
  const before = from === null ? '' : from.read(from.path)?.toString('utf8')
  if (before === undefined) throw new Error(`the patch changes ${from?.path}, which does not exist`)
  const after = applyPatch(before, part, { fuzzFactor: 0 })
  if (after === false) throw new Error(`the patch does not fit ${to}`)
  return after
}

function pathOf(name: string | undefined): string | null {
  if (name === undefined || name === '/dev/null' || name === '') return null
  return name.replace(/^[ab]\//, '')
}

function requirePlain(path: string): void {
  if (!relativePathSchema.safeParse(path).success)
    throw new Error(`the patch names ${JSON.stringify(path)}, which is not a path inside`)
  if (isOfGit(path)) throw new Error(`the patch names ${path}, which is a file of git`)
}
