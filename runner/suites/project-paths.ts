import { resolve } from 'node:path'
import { DEFAULT_DATA_FOLDER, ROOT } from '#lib/setup/layout.mjs'

/** The root of the clone, or the folder of the installed package; the same for code that is bundled. */
export const PROJECT_ROOT = ROOT

/**
 * Where imported suites, runs and the database live: PROOFBOARD_DATA_DIR, else `.proofboard` in the clone; of an installed
 * package `.proofboard` in the current folder.
 */
export function dataFolder(env: Record<string, string | undefined>): string {
  return resolve(env.PROOFBOARD_DATA_DIR || DEFAULT_DATA_FOLDER)
}
