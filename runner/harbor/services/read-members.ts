import { posix } from 'node:path'
import { z } from 'zod'
import type { Build, ServiceMount } from './service.ts'

const path = z.string().min(1).max(1000)

/** `NAME=value` lines, or a map. */
export const pairsSchema = z.union([
  z.array(z.string().max(8000)).max(1000),
  z.record(z.string(), z.union([z.string().max(8000), z.number(), z.boolean()]).nullable()),
])

/** Reads variables; one without a value would be this machine's, unless the task declares it. */
export function readPairs(
  list: z.infer<typeof pairsSchema>,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Array.isArray(list)
    ? list.map((line): [string, string | null] => {
        const at = line.indexOf('=')
        return at < 0 ? [line, null] : [line.slice(0, at), line.slice(at + 1)]
      })
    : Object.entries(list).map(([name, value]): [string, string | null] => [
        name,
        value === null ? null : String(value),
      ])
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (!/^[A-Za-z_][\w.-]*$/.test(name))
        throw new Error(
          `has the variable ${JSON.stringify(name.slice(0, 60))}, which is not a name`,
        )
      const own = value ?? (Object.hasOwn(variables, name) ? variables[name] : undefined)
      if (own === undefined)
        throw new Error(
          `reads the variable ${name} of this machine: list it under [environment.env] of task.toml, or give it a value`,
        )
      return [name, own]
    }),
  )
}

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
function insideEnvironment(path: string): string | null {
  if (path.startsWith('/') || path.startsWith('~') || path.includes('\\')) return null
  const plain = posix.normalize(path).replace(/\/$/, '')
  if (plain === '..' || plain.startsWith('../')) return null
  return plain === '.' ? '' : plain
}

const mountSchema = z.looseObject({
  type: z.enum(['volume', 'bind', 'tmpfs']),
  source: path.optional(),
  target: path,
  read_only: z.boolean().optional(),
})
type Mount = z.infer<typeof mountSchema>

/** Harbor's own folders for logs, which `main` has anyway. */
const LOGS = /^\/logs\/(agent|verifier|artifacts)\/?$/

/**
 * Reads one entry of `volumes`; null = it adds nothing. Throws an Error with one clause if it mounts files of this machine
 * that are not the task's.
 */
export function readMount(raw: unknown, { isMain }: { isMain: boolean }): ServiceMount | null {
  const mount = typeof raw === 'string' ? readShort(raw) : mountSchema.safeParse(raw).data
  if (mount === undefined) throw new Error('has an entry of volumes that is not a mount')
  const { type, source, target, read_only: isReadOnly = false } = mount
  if (!target.startsWith('/') || target.split('/').includes('..'))
    throw new Error(`mounts ${target.slice(0, 100)}, which is not an absolute path`)
  if (isMain && LOGS.test(target)) return null
  if (type === 'tmpfs') return { kind: 'memory', target }
  if (type === 'volume')
    return source === undefined ? null : { kind: 'volume', name: source, target, isReadOnly }
  return readFiles(mount, isMain)
}

function readFiles({ source = '', target, read_only: isReadOnly }: Mount, isMain: boolean) {
  const where = source.slice(0, 100)
  if (/docker\.sock$/.test(source))
    throw new Error(`mounts the socket of docker (${where}), which would give it this machine`)
  const inside = insideEnvironment(source)
  if (inside === null) throw new Error(`mounts ${where} of this machine: use a named volume`)
  if (isMain) throw new Error(`mounts ${where} of the task: copy it in the Dockerfile`)
  if (inside === '')
    throw new Error('mounts the whole of environment/: mount a folder or file of it')
  if (!isReadOnly) throw new Error(`can write to ${where} of the task: mount it read-only (:ro)`)
  return { kind: 'files' as const, path: inside, target }
}

/** `source:target:mode`; a source that looks like a path is one, as in compose. */
function readShort(text: string): Mount | undefined {
  const [first = '', second, mode = '', ...more] = text.split(':')
  if (more.length > 0 || first === '') return undefined
  if (second === undefined) return { type: 'volume', target: first }
  const isReadOnly = mode.split(',').includes('ro')
  const type = /^[./~]|[/\\]/.test(first) ? ('bind' as const) : ('volume' as const)
  return { type, source: first, target: second, read_only: isReadOnly }
}
