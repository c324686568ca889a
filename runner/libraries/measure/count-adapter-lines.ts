import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { countCodeLines } from './count-code-lines.ts'

const LIBRARIES = join(PROJECT_ROOT, 'runner', 'libraries')
/** What every adapter stands on: the port, and how a package is looked for. */
const COMMON = ['action-surface.ts', 'installed-package.ts']
/** Imports of values; a type is no code. */
const IMPORT = /^import (?!type )[^'"]*?from '(\.{1,2}\/[^']+)'/gm

/**
 * Lines of code that make a library fit: its adapter and what that imports of `runner/libraries`, but what every
 * adapter stands on. What two adapters share is counted for both.
 */
export async function countAdapterLines(file: string): Promise<number> {
  let count = 0
  for (const path of await listOwnFiles(join(LIBRARIES, file)))
    count += countCodeLines(await readFile(path, 'utf8'))
  return count
}

async function listOwnFiles(entry: string): Promise<string[]> {
  const found = [entry]
  for (const path of found) {
    const source = await readFile(path, 'utf8')
    const imported = [...source.matchAll(IMPORT)].map(([, name = '']) => join(dirname(path), name))
    found.push(...imported.filter((one) => isOwn(one) && !found.includes(one)))
  }
  return found
}

function isOwn(path: string): boolean {
  const below = relative(LIBRARIES, path)
  return !below.startsWith('..') && !COMMON.includes(below)
}
