import { cp, lstat, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { countOf, lastLine } from '#lib/domain/text/index.ts'
import { suiteError } from '../../runner-error.ts'
import { git } from '../../sandbox/process/git.ts'
import { makeScratch } from '../../scratch.ts'
import { HARBOR_FILE } from '../harbor-folder.ts'
import type { RegistryTask } from './read-registry.ts'

/** Copies tasks into a folder, each from its repository at its commit. Throws a RunnerError with one sentence. */
export async function fetchTasks(
  tasks: readonly RegistryTask[],
  folder: string,
  report: (line: string) => void,
): Promise<void> {
  const commits = new Map<string, RegistryTask[]>()
  for (const task of tasks) {
    const key = `${task.repository} ${task.commit}`
    commits.set(key, [...(commits.get(key) ?? []), task])
  }
  for (const [key, own] of commits) {
    report(`fetching ${own.length} of ${countOf(tasks.length, 'task')}: ${key}`)
    await fetchCommit(own, folder)
  }
}

async function fetchCommit(tasks: readonly RegistryTask[], folder: string): Promise<void> {
  const [{ repository, commit } = { repository: '', commit: '' }] = tasks
  const clone = await makeScratch('proofboard-track')
  try {
    await getCommit(clone, repository, commit)
    const paths = tasks.map(({ path }) => path)
    await refuseLinks(clone, commit, paths)
    const checkout = ['-c', 'core.symlinks=false', '-c', 'core.hooksPath=/dev/null']
    await git(['-C', clone, ...checkout, '--literal-pathspecs', 'checkout', commit, '--', ...paths])
    for (const { name, path } of tasks) {
      if (!(await isTask(join(clone, path))))
        throw new Error(`${path} has no ${HARBOR_FILE}, so it is not a task`)
      await mkdir(folder, { recursive: true })
      await cp(join(clone, path), join(folder, name), { recursive: true })
    }
  } catch (error) {
    throw suiteError(`cannot get ${commit} of ${repository}: ${lastLine((error as Error).message)}`)
  } finally {
    await rm(clone, { recursive: true, force: true })
  }
}

/** Fetches a single commit, or the whole history from a server that gives no single ones. */
async function getCommit(clone: string, repository: string, commit: string): Promise<void> {
  await git(['init', '--quiet', clone])
  await git(['-C', clone, 'remote', 'add', '--', 'origin', repository])
  const fetch = ['-C', clone, 'fetch', '--quiet', '--no-tags', '--filter=blob:none']
  try {
    await git([...fetch, '--depth=1', 'origin', commit])
  } catch {
    await git([...fetch, 'origin'])
    await git(['-C', clone, 'cat-file', '-e', `${commit}^{commit}`])
  }
}

/** Links and submodules would be files of this machine, or of other repositories. */
async function refuseLinks(clone: string, commit: string, paths: readonly string[]) {
  const listed = await git([
    ...['-C', clone, '--literal-pathspecs', 'ls-tree', '-r', '-z', commit, '--', ...paths],
  ])
  const odd = listed.split('\0').find((line) => /^(120000|160000) /.test(line))
  if (odd !== undefined)
    throw new Error(
      `${odd.split('\t')[1]} is a link or another repository, which no task can contain`,
    )
}

async function isTask(folder: string): Promise<boolean> {
  const found = await lstat(join(folder, HARBOR_FILE)).catch(() => null)
  return found?.isFile() === true
}
