import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gitUrlSchema, type RepositoryTask } from '#lib/domain/tasks/index.ts'
import { suiteError } from '../runner-error.ts'
import { git } from '../sandbox/process/git.ts'
import { copyTree, readTree } from './tree.ts'

type GitSource = Extract<RepositoryTask['source'], { git: string }>

/** Nothing of this machine's or a repository's configuration runs a program: no hooks, filters or helpers. */
export const CALM = [
  ...['-c', 'protocol.allow=never', '-c', 'protocol.https.allow=always'],
  ...['-c', 'protocol.ssh.allow=always', '-c', 'protocol.file.allow=always'],
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'],
  ...['-c', 'submodule.recurse=false', '-c', 'core.attributesFile=/dev/null'],
]

/**
 * Puts the files of one commit into an empty folder, without its history. Throws a RunnerError with one sentence where
 * git cannot get it.
 */
export async function checkOutSource(
  { git: address, commit, folder }: GitSource,
  target: string,
  temporary: string,
): Promise<void> {
  const url = gitUrlSchema.parse(address)
  const from = /^[a-z]+:\/\/|^[^/]+@[^/]+:/i.test(url) ? url : resolve(url)
  const clone = await mkdtemp(join(temporary, 'source-'))
  const ask = (...args: string[]) => git([...CALM, '-C', clone, ...args])
  try {
    await ask('init', '--quiet', '--template=')
    await fetchCommit(ask, from, commit)
    await ask('checkout', '--quiet', '--force', commit, '--')
    const root = folder === undefined ? clone : join(clone, folder)
    await copyTree(await readTree(root), root, target)
  } catch (error) {
    const said = (error as Error).message.trim().split('\n').at(-1)?.slice(0, 300)
    throw suiteError(`cannot get commit ${commit.slice(0, 12)} of ${url}: ${said}`)
  } finally {
    await rm(clone, { recursive: true, force: true })
  }
}

/** The commit alone where the other side gives it; else its branches and tags, which must lead to it. */
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
 * Makes a workspace a repository with one commit, the base: what was before or after it is not there to be found. False
 * where git is not installed.
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
