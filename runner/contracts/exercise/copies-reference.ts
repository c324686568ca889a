import { transform } from 'esbuild'
import type { SourceFile, TamperFinding } from './gate-types.ts'

/** Shorter programs come out the same by chance; at this length two people never write the same one. */
const LEAST_CHARACTERS = 400

/**
 * A finding when a solution is the task's reference under other names, comments and white space; null otherwise. What
 * does not parse is no copy.
 */
export async function findCopy(
  solution: readonly SourceFile[],
  reference: readonly SourceFile[],
): Promise<TamperFinding | null> {
  for (const { path, text } of solution) {
    const original = reference.find((file) => file.path === path)
    if (!original) continue
    const [ours, theirs] = await Promise.all([normalise(original.text), normalise(text)])
    if (ours !== null && ours.length >= LEAST_CHARACTERS && ours === theirs)
      return { code: 'copied-reference', detail: `${path} is the reference under other names` }
  }
  return null
}

/** Types, comments, white space and local names are gone; the program is the same. */
async function normalise(text: string): Promise<string | null> {
  try {
    const { code } = await transform(text, { loader: 'ts', format: 'esm', minify: true })
    return code
  } catch {
    return null
  }
}
