import { z } from 'zod'
import { insideEnvironment } from './read-build.ts'
import type { ServiceMount } from './service.ts'

const path = z.string().min(1).max(1000)
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
