import type { Dirent } from 'node:fs'
import { lstat, mkdir, mkdtemp, opendir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { EpisodeBody } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'
import { removeTree } from './files.ts'
import { isDropping, readPlainFile } from './read-plain-file.ts'

/** Phase 1: creates a fresh copy of the task's files, HOME and temporary folder; `name` fixes the folder. */
export async function prepareWorkspace(
  task: LoadedExercise,
  parent: string,
  name: string | null = null,
): Promise<Workspace> {
  const place = await createAttemptDirs(parent, name, task.task.taskId)
  const { workspace } = place
  const folders = new Set(
    task.template.map((file) => dirname(file.path)).filter((path) => path !== '.'),
  )
  for (const path of folders) await mkdir(join(workspace, path), { recursive: true })
  await Promise.all(task.template.map((file) => writeFile(join(workspace, file.path), file.bytes)))
  return place
}

/** The folders of one attempt; all are new and used by it alone. */
export type Workspace = {
  folder: string
  workspace: string
  home: string
  temporary: string
  remove: () => Promise<void>
}

/** Creates workspace, HOME and temporary folder below a folder of `parent`: a new one, or the one that `name` fixes. */
export async function createAttemptDirs(
  parent: string,
  name: string | null,
  workspaceName: string,
): Promise<Workspace> {
  // Short: libraries need room for sockets below their own folder, as Chromium does.
  const folder = name === null ? await mkdtemp(join(parent, 'e-')) : join(parent, name)
  if (name !== null) await mkdir(folder)
  const workspace = join(folder, workspaceName)
  const home = join(folder, 'home')
  const temporary = join(folder, 'tmp')
  await Promise.all([workspace, home, temporary].map((path) => mkdir(path)))
  return { folder, workspace, home, temporary, remove: () => removeTree(folder) }
}

export type TouchedFile = EpisodeBody['integrity']['protectedFilesTouched'][number]

// Files that configure compilers, test runners and package managers; no exercise needs them.
export const STEERING =
  /(^|\/)(package(-lock)?\.json|tsconfig[^/]*\.json|jest\.(config|setup)[^/]*|babel\.config[^/]*|\.babelrc[^/]*|\.swcrc|vitest\.config[^/]*|yarn\.lock|\.yarnrc\.yml|\.npmrc|\.pnp\.[^/]*|__mocks__\/.*)$/

/**
 * Phase 3: restores every file that is not a solution file, and reports which were changed. The verifier never reads
 * them from here, so this protects the evidence, not the verdict.
 */
export async function restoreProtected(
  task: LoadedExercise,
  workspace: string,
): Promise<TouchedFile[]> {
  const solution = new Set(task.task.files.solution)
  const touched: TouchedFile[] = []
  for (const { path, bytes } of task.template) {
    if (solution.has(path)) continue
    const found = await readPlainFile(workspace, path, bytes.length)
    if (found.kind === 'read' && found.bytes.equals(bytes)) continue
    touched.push({ path, change: found.kind === 'missing' ? 'deleted' : changeOf(found) })
    await putBack(workspace, path, bytes)
  }
  const { entries } = await walkWorkspace(workspace)
  const known = new Set(task.template.map((file) => file.path))
  const added = entries.filter(
    ({ path }) => !known.has(path) && !solution.has(path) && STEERING.test(path),
  )
  return [...touched, ...added.map(({ path }) => ({ path, change: 'added' as const }))]
}

function changeOf(found: { kind: string; reason?: string }): TouchedFile['change'] {
  return found.kind === 'refused' && found.reason?.includes('link')
    ? 'replaced-by-link'
    : 'modified'
}

/** Removes what is at the file's path, and every link above it: nothing is written through a link. */
async function clearWay(workspace: string, path: string): Promise<void> {
  let current = workspace
  for (const part of path.split('/').slice(0, -1)) {
    current = join(current, part)
    const stat = await lstat(current).catch(() => null)
    if (stat && !stat.isDirectory()) await rm(current, { force: true })
  }
  await rm(join(workspace, path), { recursive: true, force: true })
}

async function putBack(workspace: string, path: string, bytes: Buffer): Promise<void> {
  try {
    await clearWay(workspace, path)
    await mkdir(dirname(join(workspace, path)), { recursive: true })
    await writeFile(join(workspace, path), bytes, { flag: 'wx' })
  } catch {
    // A subject may have made its folder read-only or a link; the verifier works elsewhere.
  }
}

const MAX_FILE_BYTES = 256 << 10
const MAX_DIFF_BYTES = 1 << 20
const MAX_FILES = 200

/**
 * Returns a unified diff from the pristine template to the subject's workspace; large, binary and linked files are only
 * named, and files of `droppings`, which the subject's program leaves wherever it runs, only counted.
 */
export async function diffWorkspace(
  task: LoadedExercise,
  workspace: string,
  droppings: readonly string[] = [],
): Promise<string> {
  const walked = await walkWorkspace(workspace)
  const { truncated } = walked
  const pristine = new Map(task.template.map((file) => [file.path, file.bytes]))
  const entries = walked.entries.filter(
    ({ path }) => pristine.has(path) || !isDropping(path, droppings),
  )
  const dropped = walked.entries.length - entries.length
  const parts: string[] = []
  for (const entry of entries) {
    if (parts.length >= MAX_FILES) break
    parts.push(...(await diffEntry(workspace, entry, pristine.get(entry.path) ?? null)))
  }
  const present = new Set(entries.map(({ path }) => path))
  for (const { path, bytes } of task.template) {
    if (!present.has(path) && !(await isPresent(workspace, path)))
      parts.push(patch(path, bytes.toString('utf8'), null))
  }
  if (dropped > 0) parts.push(`Only counted: ${dropped} left by the agent's own program\n`)
  if (truncated || parts.length >= MAX_FILES) {
    parts.push('Only named: more files were changed than are shown here\n')
  }
  const text = parts.join('')
  return text.length > MAX_DIFF_BYTES ? `${text.slice(0, MAX_DIFF_BYTES)}\n[cut]\n` : text
}

/** Checks the disk: a walk that was cut off has not seen everything. */
async function isPresent(workspace: string, path: string): Promise<boolean> {
  const stat = await lstat(join(workspace, path)).catch(() => null)
  return stat !== null && !stat.isDirectory()
}

async function diffEntry(
  workspace: string,
  { path, kind }: WalkedEntry,
  before: Buffer | null,
): Promise<string[]> {
  if (kind !== 'file') return [`Only named: ${path} is a ${kind}\n`]
  const part = await diffFile(workspace, path, before)
  return part === null ? [] : [part]
}

async function diffFile(
  workspace: string,
  path: string,
  before: Buffer | null,
): Promise<string | null> {
  const found = await readPlainFile(workspace, path, MAX_FILE_BYTES)
  if (found.kind === 'missing') return `Only named: ${path} vanished\n`
  if (found.kind === 'refused') return `Only named: ${path} ${found.reason}\n`
  if (before?.equals(found.bytes)) return null
  const binary = found.bytes.includes(0) || before?.includes(0)
  if (binary) return `Only named: ${path} is binary (${countOf(found.bytes.length, 'byte')})\n`
  return patch(path, before?.toString('utf8') ?? null, found.bytes.toString('utf8'))
}

/** Returns one file of a unified diff; null = the file does not exist. */
export function patch(path: string, before: string | null, after: string | null): string {
  const names: [string, string] = [
    before === null ? '/dev/null' : join('a', path),
    after === null ? '/dev/null' : join('b', path),
  ]
  // The diff of two long, unlike files is quadratic: past the limit the whole file is shown as replaced.
  const text = createTwoFilesPatch(...names, before ?? '', after ?? '', undefined, undefined, {
    maxEditLength: 4000,
  })
  return text ?? `--- ${names[0]}\n+++ ${names[1]}\n(rewritten)\n`
}

type WalkedEntry = { path: string; kind: 'file' | 'link' | 'other' }

/** Folders without work of a subject. */
export const SKIPPED_FOLDERS = new Set(['node_modules', '.git'])

/** Maximum numbers of folders read, and of names read in each: a subject may leave any number. */
const MAX_FOLDERS = 5000
const MAX_NAMES = 20_000

/** Walks the files below a subject's folder; lists links without following them. Stops at `most` entries and reports it. */
export async function walkWorkspace(
  root: string,
  max = 5000,
  mostFolders = MAX_FOLDERS,
): Promise<{ entries: WalkedEntry[]; truncated: boolean }> {
  const entries: WalkedEntry[] = []
  let truncated = false
  // Breadth first from the root: a deep folder full of files must not hide what configures a program there.
  const folders = ['']
  for (let next = 0; next < folders.length; next++) {
    const found = await listFolder(root, folders[next] as string)
    const room = mostFolders - folders.length
    truncated ||= found.isCut || found.folders.length > room
    // Pushed one by one: as arguments of one call they could overflow the stack.
    for (const path of found.folders.slice(0, Math.max(0, room))) folders.push(path)
    for (const entry of found.entries.slice(0, max - entries.length)) entries.push(entry)
    if (entries.length >= max) return { entries, truncated: true }
  }
  entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { entries, truncated }
}

async function listFolder(root: string, below: string) {
  const { listed, isCut } = await readNames(join(root, below))
  const pathOf = (name: string) => (below ? `${below}/${name}` : name)
  const folders = listed.filter((entry) => entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name))
  const others = listed.filter((entry) => !entry.isDirectory())
  return {
    folders: folders.map(({ name }) => pathOf(name)),
    entries: others.map((entry) => ({ path: pathOf(entry.name), kind: kindOf(entry) })),
    isCut,
  }
}

async function readNames(folder: string): Promise<{ listed: Dirent[]; isCut: boolean }> {
  const listed: Dirent[] = []
  try {
    for await (const entry of await opendir(folder)) {
      if (listed.length >= MAX_NAMES) return { listed, isCut: true }
      listed.push(entry)
    }
  } catch {
    // Missing or unreadable.
  }
  return { listed, isCut: false }
}

function kindOf(entry: { isFile(): boolean; isSymbolicLink(): boolean }): WalkedEntry['kind'] {
  if (entry.isFile()) return 'file'
  return entry.isSymbolicLink() ? 'link' : 'other'
}
