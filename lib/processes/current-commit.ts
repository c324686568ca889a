import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { env } from '../env.ts'

const packageSchema = z.object({
  proofboard: z.object({ commit: z.string().nullable() }).optional(),
})
let known: string | null | undefined

/** Returns the commit of this Proofboard, of the clone or as recorded in the package; null = unknown. */
export function currentCommit(): string | null {
  known ??= readCommit(env().root)
  return known
}

function readCommit(root: string): string | null {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  const packed = packageSchema.parse(JSON.parse(text)).proofboard
  if (packed) return packed.commit
  try {
    const git = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return git.trim()
  } catch {
    // A copy without its history, or a machine without git.
    return null
  }
}
