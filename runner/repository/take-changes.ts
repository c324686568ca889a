import { constants, type Stats } from 'node:fs'
import { lstat, open, readlink } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { relativePathSchema, type TamperFinding } from '#lib/domain/record/index.ts'
import { isDropping, readPlainFile } from '../engine/read-plain-file.ts'
import type { TouchedFile } from '../engine/workspace.ts'
import { type Change, isOfGit } from './overlay.ts'
import { CACHE_TAG, isByproduct, isInstalled, isManifest, isToolEdit } from './tool-traces.ts'
import { digestFile, leadsOut, listPaths, type TreeEntry } from './tree.ts'

/** Permissions for one path of the work. */
export type Permission = 'allowed' | 'protected' | 'replaced' | 'elsewhere'

/** A subject's work, taken from its workspace. */
export type TakenWork = {
  /** The judged part. */
  changes: Change[]
  /** Left out or restored: changed by the subject, and not judged. */
  touched: TouchedFile[]
  findings: TamperFinding[]
  /** Why there is too much to judge; null = there is not. */
  problem: string | null
}

const MAX_CHANGES = 2000
const MAX_FILE_BYTES = 4 << 20
const MAX_BYTES = 32 << 20
const MAX_NEW_FILES = 100_000

type Work = {
  base: ReadonlyMap<string, TreeEntry>
  /** Every folder of the base. */
  folders: ReadonlySet<string>
  workspace: string
  droppings: readonly string[]
  permissionOf: (path: string) => Permission
  /** Reads a file of the base; absent = none can be read. */
  before?: (path: string) => Promise<Buffer | null>
  /** Folders that the subject may link to, as absolute paths that it sees. */
  own?: readonly string[]
  taken: TakenWork
  bytes: number
  /** Hard-linked files by device and inode, which are honest if all their names are in the workspace. */
  linked: Map<string, LinkedFile[]>
}

type LinkedFile = { path: string; executable: boolean; names: number }

/**
 * Compares a workspace with the base it was copied from. Takes only regular files, reached through real folders.
 * Byproducts of tools are left out; links and hard links to foreign files are findings. The subject's processes have
 * ended.
 */
export async function takeChanges(
  base: readonly TreeEntry[],
  workspace: string,
  rules: Pick<Work, 'droppings' | 'permissionOf' | 'before' | 'own'>,
): Promise<TakenWork> {
  const work: Work = { ...emptyWork(base), workspace, ...rules }
  const { taken } = work
  const seen = await walk(work)
  for (const files of work.linked.values()) await takeLinked(work, files)
  for (const { path } of base) {
    const isGone = !seen.has(path) && !isByproduct(path)
    if (isGone && taken.problem === null) await sort(work, { path, bytes: null, executable: false })
  }
  taken.changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  return taken
}

/**
 * Sorts changes that were taken elsewhere as if they were taken here: the sender of a list may have added anything to
 * it. The last of several changes of one path counts.
 */
export async function takeStored(
  base: readonly TreeEntry[],
  changes: readonly Change[],
  permissionOf: Work['permissionOf'],
): Promise<TakenWork> {
  const work: Work = { ...emptyWork(base), workspace: '', droppings: [], permissionOf }
  const { taken } = work
  const last = new Map(changes.map((change) => [change.path, change]))
  for (const change of last.values()) {
    if (isByproduct(change.path)) continue
    if (isOfGit(change.path)) find(work, 'git-file-added', `${change.path} would steer git`)
    else if (taken.problem === null) await sort(work, change)
  }
  taken.changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  return taken
}

function emptyWork(
  base: readonly TreeEntry[],
): Pick<Work, 'base' | 'folders' | 'taken' | 'bytes' | 'linked'> {
  return {
    base: new Map(base.map((entry) => [entry.path, entry])),
    folders: foldersOf(base),
    taken: { changes: [], touched: [], findings: [], problem: null },
    bytes: 0,
    linked: new Map(),
  }
}

/** Visits every entry once; returns the existing paths. */
async function walk(work: Work): Promise<Set<string>> {
  const seen = new Set<string>()
  for (const waiting = ['']; waiting.length > 0; ) {
    const below = waiting.pop() as string
    // An unreadable folder only hides its owner's own work.
    const paths = await listPaths(work.workspace, below).catch(() => [])
    leaveInstalled(work, paths)
    for (const path of paths.filter((one) => !isByproduct(one))) {
      if (seen.add(path).size > MAX_NEW_FILES + work.base.size) {
        work.taken.problem ??= `it left more than ${MAX_NEW_FILES} new files`
        return seen
      }
      if (await look(work, path)) waiting.push(path)
    }
  }
  return seen
}

function leaveInstalled(work: Work, paths: readonly string[]): void {
  for (const path of paths)
    if (isInstalled(path) && isNewFolder(work, path))
      leave(work, path, 'added', 'installed packages')
}

/** Takes the entry at a path; returns true for a folder whose entries follow. */
async function look(work: Work, path: string): Promise<boolean> {
  const stat = await lstat(join(work.workspace, path)).catch(() => null)
  if (isOfGit(path)) leave(work, path, 'added', 'a git repository of its own')
  else if (stat?.isDirectory()) return !(isNewFolder(work, path) && (await isCache(work, path)))
  else if (stat && (!isDropping(path, work.droppings) || work.base.has(path)))
    await take(work, path, stat)
  return false
}

/** Returns true for a folder in which the base has no file. */
function isNewFolder({ folders }: Work, folder: string): boolean {
  return !folders.has(folder)
}

function foldersOf(base: readonly TreeEntry[]): Set<string> {
  const folders = new Set<string>()
  for (const { path } of base)
    for (let at = posix.dirname(path); at !== '.' && !folders.has(at); at = posix.dirname(at))
      folders.add(at)
  return folders
}

/** Returns true for a folder that its program marked as a cache. */
async function isCache({ workspace }: Work, folder: string): Promise<boolean> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const tag = await open(join(workspace, folder, CACHE_TAG.name), flags).catch(() => null)
  if (tag === null) return false
  try {
    const { buffer } = await tag.read(Buffer.alloc(CACHE_TAG.start.length), 0)
    return buffer.toString('latin1') === CACHE_TAG.start
  } catch {
    return false
  } finally {
    await tag.close()
  }
}

async function take(work: Work, path: string, stat: Stats): Promise<void> {
  if (stat.isSymbolicLink()) return takeLink(work, path)
  if (stat.isSocket() || stat.isFIFO()) return leave(work, path, 'added', 'a socket or pipe')
  if (!stat.isFile()) return find(work, 'special-file', `${path} is neither a file nor a folder`)
  const executable = (stat.mode & 0o100) !== 0
  if (await isUnchanged(work, path, { size: stat.size, executable })) return
  if (stat.nlink === 1) return takeFile(work, { path, executable, names: 1 })
  const file = `${stat.dev} ${stat.ino}`
  const known = work.linked.get(file) ?? []
  work.linked.set(file, [...known, { path, executable, names: stat.nlink }])
}

async function isUnchanged(
  { base, workspace }: Work,
  path: string,
  { size, executable }: { size: number; executable: boolean },
): Promise<boolean> {
  const before = base.get(path)
  if (before?.kind !== 'file' || before.size !== size || before.executable !== executable)
    return false
  // A file made unreadable by its owner counts as changed, and is not a failure of the harness.
  return before.digest === (await digestFile(join(workspace, path)).catch(() => null))
}

async function takeLink(work: Work, path: string): Promise<void> {
  const target = await readlink(join(work.workspace, path))
  const before = work.base.get(path)
  if (before?.kind === 'link' && before.target === target) return
  if (leadsOut(path, target) && !leadsToOwn(work, path, target))
    find(work, 'link-out-of-tree', `${path} leads to ${target}`)
  leave(work, path, 'replaced-by-link', 'a link')
}

/** Programs of this machine, to which Python environments and others link. */
const SYSTEM = ['/usr', '/opt', '/bin', '/sbin', '/lib', '/lib64', '/nix']

/** Returns whether a link leads to what the subject may use anyway: its own folders, or programs of the machine. */
function leadsToOwn({ own = [] }: Work, path: string, target: string): boolean {
  const [workspace = '/'] = own
  const end = posix.resolve(workspace, posix.dirname(path), target)
  return [...own, ...SYSTEM].some((folder) => end === folder || end.startsWith(`${folder}/`))
}

/** Takes files with several names: a name outside the workspace could be a foreign file. */
async function takeLinked(work: Work, files: readonly LinkedFile[]): Promise<void> {
  for (const file of files) {
    const names = file.names === files.length ? file.names : 1
    await takeFile(work, { ...file, names })
  }
}

async function takeFile(work: Work, { path, executable, names }: LinkedFile): Promise<void> {
  if (!relativePathSchema.safeParse(path).success)
    return find(work, 'odd-path', `${JSON.stringify(path).slice(0, 300)} is not a plain path`)
  const found = await readPlainFile(work.workspace, path, MAX_FILE_BYTES, names)
  if (found.kind === 'missing') return
  if (found.kind === 'read') return sort(work, { path, bytes: found.bytes, executable })
  if (found.reason.includes('link')) find(work, 'hard-link', `${path} ${found.reason}`)
  else if (work.permissionOf(path) === 'allowed') work.taken.problem ??= `${path} ${found.reason}`
}

/** Assigns one change by its path: to the judged or to the restored ones. */
async function sort(work: Work, change: Change): Promise<void> {
  const { taken, base, permissionOf } = work
  const { path, bytes } = change
  const permission = permissionOf(path)
  if (permission === 'allowed') {
    work.bytes += bytes?.length ?? 0
    if (taken.changes.push(change) > MAX_CHANGES)
      taken.problem ??= `it changed more than ${MAX_CHANGES} files`
    if (work.bytes > MAX_BYTES) taken.problem ??= `it changed more than ${MAX_BYTES >> 20} MiB`
    return
  }
  const how = bytes === null ? 'deleted' : base.has(path) ? 'modified' : 'added'
  leave(work, path, how, REASONS[permission])
  if (permission === 'protected' && !(await isHonest(work, change)))
    find(work, 'protected-file-changed', `${path} was ${how}, and decides how the work is judged`)
}

const REASONS: Record<Exclude<Permission, 'allowed'>, string> = {
  protected: 'it decides how the work is judged',
  replaced: 'replaced by the tests of the task',
  elsewhere: 'the task does not let it be changed',
}

/** Recognises automatic edits of package managers to a manifest; they are restored like any other change. */
async function isHonest(work: Work, { path, bytes }: Change): Promise<boolean> {
  if (bytes === null || !isManifest(path)) return false
  if (!work.base.has(path)) return path.includes('/') && isNewFolder(work, posix.dirname(path))
  const before = await work.before?.(path)
  return before ? isToolEdit(path, before, bytes) : false
}

function leave({ taken }: Work, path: string, change: TouchedFile['change'], reason: string): void {
  taken.touched.push({ path, change, reason })
}

function find({ taken }: Work, code: string, detail: string): void {
  if (taken.findings.length < 50) taken.findings.push({ code, detail: detail.slice(0, 2000) })
}
