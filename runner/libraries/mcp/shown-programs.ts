import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { holdsPrivate } from '../../sandbox/isolation/system-mounts.ts'
import { findBinary } from '../../subjects/agents/find-binary.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'

/**
 * Lists the files of this machine that a user's own command needs: each program or script that it names, with the
 * package that it belongs to. Files in this project are exposed singly, never a folder with a home or the exercises.
 */
export function showCommand(words: readonly string[], path: string): string[] {
  const named = words.flatMap((word, index) => {
    const found = index === 0 ? findBinary(word, path) : word.startsWith('/') ? word : null
    return found !== null && existsSync(found) ? [found, realpathSync(found)] : []
  })
  return [...new Set(named.map(withItsPackage))].filter((one) => !one.startsWith('/usr/'))
}

function withItsPackage(path: string): string {
  if (path.startsWith(`${PROJECT_ROOT}/`) || !statSync(path).isFile()) return path
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (holdsPrivate(folder)) break
    if (existsSync(join(folder, 'package.json'))) return folder
  }
  return holdsPrivate(dirname(path)) ? path : dirname(path)
}
