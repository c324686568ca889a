import { existsSync } from 'node:fs'
import { chmod, lstat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { dataFolder, PROJECT_ROOT } from '../../suites/project-paths.ts'
import { git } from '../process/git.ts'
import { RUNNER_ENV } from '../process/own-env.ts'

const OF_OTHERS = 0o077

/**
 * Revokes the permissions of group and others on folders that contain answers, before a subject runs as another user:
 * the exercises, the clone's git history, the data folder and the suite of the run. Git does not track permissions of
 * folders, so the clone stays clean. Returns the folders it changed.
 */
export async function closeAnswers(
  suiteFolder: string,
  root: string = PROJECT_ROOT,
): Promise<string[]> {
  const folders = [
    join(root, 'exercises'),
    ...(await findHistory(root)),
    dataFolder(RUNNER_ENV),
    resolve(suiteFolder),
  ]
  const closed: string[] = []
  for (const folder of new Set(folders)) if (await closeFolder(folder)) closed.push(folder)
  return closed
}

/** The clone's `.git`, or the one that a worktree points to. */
async function findHistory(root: string): Promise<string[]> {
  if (!existsSync(join(root, '.git'))) return []
  const ask = (what: string) => git(['-C', root, 'rev-parse', what]).catch(() => '.git')
  const found = await Promise.all([ask('--git-dir'), ask('--git-common-dir')])
  return found.map((path) => resolve(root, path))
}

async function closeFolder(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null)
  if (!found?.isDirectory() || (found.mode & OF_OTHERS) === 0) return false
  await chmod(folder, found.mode & 0o700)
  return true
}
