import { resolve } from 'node:path'
import { DEFAULT_DATA_FOLDER, ROOT } from '#lib/setup/layout.mjs'

/** The root of the clone, or the folder of the installed package; the same for bundled code. */
export const PROJECT_ROOT = ROOT

/**
 * Folder of imported suites, runs and the database: PROOFBOARD_DATA_DIR, else `.proofboard` in the clone; for an
 * installed package `.proofboard` in the current folder.
 */
export function dataFolder(env: Record<string, string | undefined>): string {
  return resolve(env.PROOFBOARD_DATA_DIR || DEFAULT_DATA_FOLDER)
}
