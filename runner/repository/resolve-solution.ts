import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredSolution } from '../suites/repository-folder.ts'
import { type Change, patchToChanges } from './overlay.ts'

/** Converts a stored solution to changes of the tree in a folder. Throws an Error if a patch does not apply. */
export function resolveSolution(solution: StoredSolution, root: string): readonly Change[] {
  if (solution.kind === 'overlay') return solution.changes
  return patchToChanges(solution.text, (path) => {
    try {
      return readFileSync(join(root, path))
    } catch {
      return null
    }
  })
}
