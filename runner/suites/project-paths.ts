import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The clone's root: the folder of the nearest package.json above this code, bundled or not. */
export const PROJECT_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)))

/** Where imported suites, runs and the database live: PROOFBOARD_DATA_DIR, else `.proofboard` in the clone. */
export function dataFolder(env: Record<string, string | undefined>): string {
  return resolve(env.PROOFBOARD_DATA_DIR || join(PROJECT_ROOT, '.proofboard'))
}

function findRoot(from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'exercises')) && existsSync(join(folder, 'package.json')))
      return folder
  }
  return process.cwd()
}
