import { z } from 'zod'
import { formatIssues } from '#lib/domain/text/index.ts'
import { pairsSchema, readBuild, readMount, readPairs } from './read-members.ts'
import { refuseMembers } from './refused-members.ts'
import { CONDITIONS, type Condition, MAIN, type Service, type ServiceLimits } from './service.ts'

const word = z.string().min(1).max(1000)
const scalar = z.union([z.string().max(8000), z.number(), z.boolean()])
const command = z.union([z.string().max(20_000), z.array(scalar).max(1000)]).nullable()
const amount = z.union([z.number(), z.string().max(40)])
const limits = z.looseObject({
  cpus: amount.optional(),
  memory: amount.optional(),
  pids: amount.optional(),
})
const healthcheck = z.strictObject({
  test: command.optional(),
  interval: amount.optional(),
  timeout: amount.optional(),
  retries: amount.optional(),
  start_period: amount.optional(),
  start_interval: amount.optional(),
  disable: z.boolean().optional(),
})

const serviceSchema = z.strictObject({
  build: z.unknown().optional(),
  cap_drop: z.array(word).max(50).optional(),
  command: command.optional(),
  cpus: amount.optional(),
  depends_on: z
    .union([
      z.array(word).max(50),
      z.record(word, z.looseObject({ condition: z.enum(CONDITIONS).optional() }).nullable()),
    ])
    .optional(),
  deploy: z
    .looseObject({
      replicas: amount.optional(),
      resources: z
        .looseObject({
          limits: limits.nullish(),
          reservations: z.looseObject({ devices: z.unknown().optional() }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  entrypoint: command.optional(),
  environment: pairsSchema.nullish(),
  healthcheck: healthcheck.optional(),
  hostname: word.optional(),
  image: z
    .string()
    .regex(/^[a-z0-9][\w./:@-]{0,499}$/i, 'is not the name of an image')
    .optional(),
  init: z.boolean().optional(),
  mem_limit: amount.optional(),
  network_mode: word.optional(),
  networks: z
    .union([
      z.array(word).max(20),
      z.record(word, z.strictObject({ aliases: z.array(word).max(20).optional() }).nullable()),
    ])
    .nullish(),
  pids_limit: amount.optional(),
  read_only: z.boolean().optional(),
  shm_size: amount.optional(),
  stop_grace_period: amount.optional(),
  stop_signal: word.optional(),
  tmpfs: z.union([word, z.array(word).max(20)]).optional(),
  user: z.union([word, z.number()]).optional(),
  volumes: z.array(z.unknown()).max(50).nullish(),
  working_dir: word.optional(),
})
type Read = z.infer<typeof serviceSchema>

const KNOWN = new Set(Object.keys(serviceSchema.shape))

/** Members that compose gets as they are. */
const PLAIN = [
  ...['cap_drop', 'command', 'entrypoint', 'healthcheck', 'hostname', 'init', 'read_only'],
  ...['shm_size', 'stop_grace_period', 'stop_signal', 'tmpfs', 'user', 'working_dir'],
] as const

/**
 * Reads one service of a compose file, whose variables are replaced. Throws an Error with one clause that says what is wrong
 * with it, or what it would reach.
 */
export function readService(
  name: string,
  raw: unknown,
  variables: Readonly<Record<string, string>>,
): Service {
  const members = z.record(z.string(), z.unknown()).safeParse(raw ?? {})
  if (!members.success) throw new Error('is not a list of members')
  const parsed = serviceSchema.safeParse(refuseMembers(members.data, KNOWN))
  if (!parsed.success) {
    const [first] = formatIssues(parsed.error.issues)
    throw new Error(`has a mistake in ${first?.path}: ${first?.message}`)
  }
  const read = parsed.data
  refuseReplicas(read)
  const plain = PLAIN.flatMap((key) => (read[key] === undefined ? [] : [[key, read[key]] as const]))
  return {
    name,
    image: read.image ?? null,
    build: read.build === undefined || read.build === null ? null : readBuild(read.build),
    plain: Object.fromEntries(plain),
    env: readPairs(read.environment ?? [], variables),
    after: readAfter(read),
    mounts: (read.volumes ?? []).flatMap((one) => readMount(one, { isMain: name === MAIN }) ?? []),
    networks: readNetworks(read),
    limits: readLimits(read),
  }
}

function refuseReplicas({ deploy }: Read): void {
  if (deploy?.replicas !== undefined && Number(deploy.replicas) !== 1)
    throw new Error('is started more than once: remove deploy.replicas')
  if (deploy?.resources?.reservations?.devices !== undefined)
    throw new Error('asks for devices of this machine: remove deploy.resources.reservations')
}

function readAfter({ depends_on: list = [] }: Read): Record<string, Condition> {
  if (Array.isArray(list)) return Object.fromEntries(list.map((name) => [name, 'service_started']))
  return Object.fromEntries(
    Object.entries(list).map(([name, one]) => [name, one?.condition ?? 'service_started']),
  )
}

function readNetworks({ network_mode: mode, networks }: Read): Service['networks'] {
  if (mode === 'none') return null
  if (mode !== undefined && mode !== 'bridge')
    throw new Error(
      `shares the network of this machine or of another container: remove network_mode (${mode})`,
    )
  if (networks === null || networks === undefined || Object.keys(networks).length === 0)
    return { default: [] }
  if (Array.isArray(networks)) return Object.fromEntries(networks.map((name) => [name, []]))
  return Object.fromEntries(
    Object.entries(networks).map(([name, one]) => [name, one?.aliases ?? []]),
  )
}

function readLimits(read: Read): ServiceLimits {
  const declared = read.deploy?.resources?.limits
  return {
    cpus: readCount('cpus', read.cpus ?? declared?.cpus),
    memoryBytes: readBytes(read.mem_limit ?? declared?.memory),
    processes: readCount('pids_limit', read.pids_limit ?? declared?.pids),
  }
}

/** Null, 0 and negative numbers mean no limit. */
function readCount(name: string, value: number | string | undefined): number | null {
  if (value === undefined || value === '') return null
  const count = Number(value)
  if (!Number.isFinite(count)) throw new Error(`has ${name} that is not a number`)
  return count > 0 ? count : null
}

const UNITS: Readonly<Record<string, number>> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

function readBytes(value: number | string | undefined): number | null {
  if (value === undefined || value === '') return null
  const [, digits, unit = 'b'] = /^(\d+(?:\.\d+)?)\s*([bkmg])?b?$/i.exec(String(value)) ?? []
  if (digits === undefined)
    throw new Error('has a memory limit that is not a size such as "512m": correct it')
  const bytes = Math.round(Number(digits) * (UNITS[unit.toLowerCase()] ?? 1))
  return bytes > 0 ? bytes : null
}
