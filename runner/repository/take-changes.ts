import type { Stats } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { relativePathSchema, type TamperFinding } from '#lib/domain/record/index.ts'
import type { TouchedFile } from '../engine/workspace.ts'
import { isDropping, readPlainFile } from '../engine/workspace.ts'
import { type Change, isOfGit } from './overlay.ts'
import { digestFile, leadsOut, listPaths, type TreeEntry } from './tree.ts'

/** What may be done with one path of the work. */
export type Permission = 'allowed' | 'protected' | 'replaced' | 'elsewhere'

/** What a subject left behind, taken out of its workspace. */
export type TakenWork = {
  /** What is judged. */
  changes: Change[]
  /** What is put back: changed by the subject, and not judged. */
  touched: TouchedFile[]
  findings: TamperFinding[]
  /** Why there is too much of it to be judged; null = there is not. */
  problem: string | null
}

const MOST_CHANGES = 2000
const MOST_FILE_BYTES = 4 << 20
const MOST_BYTES = 32 << 20
const MAX_NEW_FILES = 100_000

/** Made by tools, apart from the work; a base that has them keeps its own. */
const BYPRODUCTS = new Set([
  'node_modules',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.venv',
])

type Work = {
  base: ReadonlyMap<string, TreeEntry>
  workspace: string
  droppings: readonly string[]
  permissionOf: (path: string) => Permission
  taken: TakenWork
  bytes: number
}

/**
 * Compares a workspace with the base it was copied from. Only regular files are taken, reached through real folders;
 * links that lead out, hard links, special files and files of git are findings. The subject's processes have ended.
 */
export async function takeChanges(
  base: readonly TreeEntry[],
  workspace: string,
  rules: Pick<Work, 'droppings' | 'permissionOf'>,
): Promise<TakenWork> {
  const taken: TakenWork = { changes: [], touched: [], findings: [], problem: null }
  const known = new Map(base.map((entry) => [entry.path, entry]))
  const work: Work = { base: known, workspace, ...rules, taken, bytes: 0 }
  const seen = await walk(work)
  for (const { path } of base) {
    const isGone = !seen.has(path) && !isByproduct(path)
    if (isGone && taken.problem === null) sort(work, { path, bytes: null, executable: false })
  }
  taken.changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  return taken
}

/**
 * Sorts changes that were taken elsewhere as if they were taken here: who sends a list may have put anything into it. The
 * last of several changes of one path counts.
 */
export function takeStored(
  base: readonly TreeEntry[],
  changes: readonly Change[],
  permissionOf: Work['permissionOf'],
): TakenWork {
  const taken: TakenWork = { changes: [], touched: [], findings: [], problem: null }
  const known = new Map(base.map((entry) => [entry.path, entry]))
  const work: Work = { base: known, workspace: '', droppings: [], permissionOf, taken, bytes: 0 }
  const last = new Map(changes.map((change) => [change.path, change]))
  for (const change of last.values()) {
    if (isByproduct(change.path)) continue
    if (isOfGit(change.path)) find(work, 'git-file-added', `${change.path} would steer git`)
    else if (taken.problem === null) sort(work, change)
  }
  taken.changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  return taken
}

/** Metadata of installed packages, from which pytest loads plug-ins: `pip install -e .` leaves it beside the sources. */
const METADATA = /\.(?:dist|egg)-info$/i

function isByproduct(path: string): boolean {
  return path.split('/').some((part) => BYPRODUCTS.has(part.toLowerCase()) || METADATA.test(part))
}

/** Looks at every entry once; answers with the paths that are there. */
async function walk(work: Work): Promise<Set<string>> {
  const seen = new Set<string>()
  for (const waiting = ['']; waiting.length > 0; ) {
    const below = waiting.pop() as string
    // A folder that its owner closed hides work from itself alone.
    const paths = await listPaths(work.workspace, below).catch(() => [])
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

/** Takes the entry at a path; true for a folder whose entries follow. */
async function look(work: Work, path: string): Promise<boolean> {
  const stat = await lstat(join(work.workspace, path)).catch(() => null)
  if (isOfGit(path)) find(work, 'git-file-added', `${path} would steer git`)
  else if (stat?.isDirectory()) return true
  else if (stat && (!isDropping(path, work.droppings) || work.base.has(path)))
    await take(work, path, stat)
  return false
}

async function take(work: Work, path: string, stat: Stats): Promise<void> {
  const { base, workspace } = work
  const full = join(workspace, path)
  const before = base.get(path)
  if (stat.isSymbolicLink()) {
    const target = await readlink(full)
    if (before?.kind === 'link' && before.target === target) return
    if (leadsOut(path, target)) find(work, 'link-out-of-tree', `${path} leads to ${target}`)
    work.taken.touched.push({ path, change: 'replaced-by-link' })
    return
  }
  if (!stat.isFile()) return find(work, 'special-file', `${path} is neither a file nor a folder`)
  const executable = (stat.mode & 0o100) !== 0
  const isSame =
    before?.kind === 'file' &&
    before.size === stat.size &&
    before.executable === executable &&
    // One that its owner closed cannot be read: it is no longer what it was, and no failure of ours.
    before.digest === (await digestFile(full).catch(() => null))
  if (!isSame) await takeFile(work, path, executable)
}

async function takeFile(work: Work, path: string, executable: boolean): Promise<void> {
  if (!relativePathSchema.safeParse(path).success)
    return find(work, 'odd-path', `${JSON.stringify(path).slice(0, 300)} is not a plain path`)
  const found = await readPlainFile(work.workspace, path, MOST_FILE_BYTES)
  if (found.kind === 'missing') return
  if (found.kind === 'read') return sort(work, { path, bytes: found.bytes, executable })
  if (found.reason.includes('link')) find(work, 'hard-link', `${path} ${found.reason}`)
  else if (work.permissionOf(path) === 'allowed') work.taken.problem ??= `${path} ${found.reason}`
}

/** Puts one change where its path belongs: to what is judged, or to what is put back. */
function sort(work: Work, change: Change): void {
  const { taken, base, permissionOf } = work
  const { path, bytes } = change
  const permission = permissionOf(path)
  if (permission === 'allowed') {
    work.bytes += bytes?.length ?? 0
    if (taken.changes.push(change) > MOST_CHANGES)
      taken.problem ??= `it changed more than ${MOST_CHANGES} files`
    if (work.bytes > MOST_BYTES) taken.problem ??= `it changed more than ${MOST_BYTES >> 20} MiB`
    return
  }
  const how = bytes === null ? 'deleted' : base.has(path) ? 'modified' : 'added'
  taken.touched.push({ path, change: how })
  if (permission === 'protected')
    find(work, 'protected-file-changed', `${path} was ${how}, and decides how the work is judged`)
}

function find({ taken }: Work, code: string, detail: string): void {
  if (taken.findings.length < 50) taken.findings.push({ code, detail: detail.slice(0, 2000) })
}
