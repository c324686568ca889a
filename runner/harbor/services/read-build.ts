import { posix } from 'node:path'
import { z } from 'zod'
import { pairsSchema, readPairs } from './read-pairs.ts'
import type { Build } from './service.ts'

const path = z.string().min(1).max(1000)
const buildSchema = z.strictObject({
  context: path.default('.'),
  dockerfile: path.optional(),
  args: pairsSchema.nullish(),
  target: z.string().min(1).max(200).optional(),
})

/** Reads `build` of a service. Throws an Error with one clause if it would read files outside of the task. */
export function readBuild(raw: unknown): Build {
  const { context, dockerfile, args, target } = parseBuild(raw)
  const from = context.slice(0, 100)
  if (/:\/\/|^git@|#/.test(context))
    throw new Error(`is built from ${from}: put its files into environment/`)
  const inside = insideEnvironment(context)
  if (inside === null) throw new Error(`is built from ${from}, which is outside of environment/`)
  if (dockerfile !== undefined && insideEnvironment(dockerfile) === null)
    throw new Error(`has the Dockerfile ${dockerfile.slice(0, 100)}, which is outside of its build`)
  return {
    context: inside,
    dockerfile: dockerfile ?? null,
    args: readPairs(args ?? [], {}),
    target: target ?? null,
  }
}

function parseBuild(raw: unknown): z.infer<typeof buildSchema> {
  const parsed = buildSchema.safeParse(typeof raw === 'string' ? { context: raw } : raw)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const extra = issue?.code === 'unrecognized_keys' ? issue.keys[0]?.slice(0, 60) : undefined
  throw new Error(
    extra === undefined
      ? `has a mistake in build.${issue?.path.join('.')}: ${issue?.message}`
      : `is built with ${extra}, which can reach out of the task: remove build.${extra}`,
  )
}

/** Returns a path without `.` and `..`, empty for the folder itself; null = it leads out. */
export function insideEnvironment(path: string): string | null {
  if (path.startsWith('/') || path.startsWith('~') || path.includes('\\')) return null
  const plain = posix.normalize(path).replace(/\/$/, '')
  if (plain === '..' || plain.startsWith('../')) return null
  return plain === '.' ? '' : plain
}
