import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCES = join('runner', 'contracts', 'exercise')

/**
 * The folder that holds package.json and this room's sources. Looked up from this module's own place, never from the
 * working directory: as source it lies inside, as a bundled CLI somewhere in node_modules/.cache.
 */
export function findPackageRoot(from: string = import.meta.url): string {
  let folder = dirname(fileURLToPath(from))
  for (;;) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, SOURCES, 'child')))
      return folder
    const parent = dirname(folder)
    if (parent === folder) throw new Error(`no package root above ${fileURLToPath(from)}`)
    folder = parent
  }
}
