import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { gitUrlSchema, isGitPath, type RepositoryTask } from '#lib/domain/tasks/index.ts'
import { lastLine, parseJson } from '#lib/domain/text/index.ts'
import { suiteError } from '../runner-error.ts'
import { git, plainGit } from '../sandbox/process/git.ts'
import { copyTree, readTree, type TreeEntry, type TreeLimits } from './tree.ts'

type GitSource = Extract<RepositoryTask['source'], { git: string }>

/** Disables programs from this machine's or a repository's configuration: no hooks, filters or helpers. */
export const CALM = [
  ...['-c', 'protocol.allow=never', '-c', 'protocol.https.allow=always'],
  ...['-c', 'protocol.ssh.allow=always', '-c', 'protocol.file.allow=always'],
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'],
  ...['-c', 'submodule.recurse=false', '-c', 'core.attributesFile=/dev/null'],
]

/** Origin of a task: a relative path of its source starts at its folder, and its suite is not part of the base. */
export type CheckOutOptions = {
  taskFolder: string
  suiteId: string | null
  temporary: string
  limits?: TreeLimits
}

/**
 * Writes the files of one commit into an empty folder, without its history: git's own bytes, whatever this user's line
 * endings and filters are. Submodules stay empty folders. Throws a one-sentence RunnerError if git cannot get it.
 */
export async function checkOutSource(
  { git: address, commit, folder }: GitSource,
  target: string,
  { taskFolder, suiteId, temporary, limits }: CheckOutOptions,
): Promise<void> {
  const url = gitUrlSchema.parse(address)
  const from = isGitPath(url) ? resolve(await realpath(taskFolder), url) : url
  const clone = await mkdtemp(join(temporary, 'source-'))
  const ask = (...args: string[]) => plainGit([...CALM, '-C', clone, ...args])
  // A configuration may define how this user reaches another machine; no other part of it is used.
  const reach = (...args: string[]) => git([...CALM, '-C', clone, ...args])
  try {
    await ask('init', '--quiet', '--template=')
    await fetchCommit(reach, from, commit)
    await ask('checkout', '--quiet', '--force', commit, '--')
    const root = folder === undefined ? clone : join(clone, folder)
    await copyTree(await withoutSuite(root, await readTree(root, limits), suiteId), root, target)
  } catch (error) {
    const message = lastLine((error as Error).message)
    throw suiteError(`cannot get commit ${commit.slice(0, 12)} of ${url}: ${message}`)
  } finally {
    await rm(clone, { recursive: true, force: true })
  }
}

const SUITE_FILE = 'suite.json'

/** A repository that contains the suite itself would show the agent its tests and answers. */
async function withoutSuite(
  root: string,
  entries: readonly TreeEntry[],
  suiteId: string | null,
): Promise<readonly TreeEntry[]> {
  if (suiteId === null) return entries
  const own: string[] = []
  for (const { kind, path } of entries) {
    if (kind !== 'file' || basename(path) !== SUITE_FILE || path === SUITE_FILE) continue
    const content = parseJson(await readFile(join(root, path), 'utf8')) as {
      suiteId?: unknown
    } | null
    if (content?.suiteId === suiteId) own.push(`${dirname(path)}/`)
  }
  return entries.filter(({ path }) => !own.some((folder) => path.startsWith(folder)))
}

/** Returns the suite of a task's folder; null = none. */
export async function suiteIdOf(taskFolder: string): Promise<string | null> {
  const text = await readFile(join(dirname(taskFolder), SUITE_FILE), 'utf8').catch(() => '')
  const content = parseJson(text) as { suiteId?: unknown } | null | undefined
  return typeof content?.suiteId === 'string' ? content.suiteId : null
}

/** Fetches only the commit if the server allows it; else its branches and tags, which must lead to it. */
async function fetchCommit(
  ask: (...args: string[]) => Promise<string>,
  from: string,
  commit: string,
): Promise<void> {
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules']
  try {
    await ask(...fetch, '--depth=1', '--', from, commit)
  } catch {
    await ask(...fetch, '--', from, '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*')
  }
}

const AUTHOR = [
  ...['-c', 'user.name=base', '-c', 'user.email=base@localhost'],
  ...['-c', 'commit.gpgsign=false', '-c', 'core.logAllRefUpdates=false', '-c', 'gc.auto=0'],
]

const DATE = '2000-01-01T00:00:00Z'
const DATES = { GIT_AUTHOR_DATE: DATE, GIT_COMMITTER_DATE: DATE }

/**
 * Makes a workspace a repository with one commit, the base: earlier and later commits cannot be found. False if git is
 * not installed.
 */
export async function commitBase(workspace: string): Promise<boolean> {
  const ask = (...args: string[]) => git([...CALM, ...AUTHOR, '-C', workspace, ...args], DATES)
  try {
    await ask('init', '--quiet', '--template=', '--initial-branch=main')
    await ask('add', '--all')
    await ask('commit', '--quiet', '--allow-empty', '--no-verify', '--message=base')
    return true
  } catch {
    await rm(join(workspace, '.git'), { recursive: true, force: true })
    return false
  }
}
