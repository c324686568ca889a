import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredSolution } from '../suites/repository-folder.ts'
import { type Change, patchToChanges } from './overlay.ts'

/** A stored solution as changes to the tree in a folder. Throws an Error where a patch does not fit it. */
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
