import { parseDocument } from 'yaml'
import { z } from 'zod'
import { countOf } from '#lib/domain/text/index.ts'
import { type ComposeVariables, interpolate } from './interpolate.ts'
import { readService } from './read-service.ts'
import { type Compose, MAIN, type Service } from './service.ts'

const MAX_CHARS = 256 << 10
const MAX_SERVICES = 20

const fileSchema = z.looseObject({
  services: z.record(
    z.string().regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, 'is not a name of small letters and digits'),
    z.unknown(),
  ),
  networks: z.record(z.string(), z.unknown()).nullish(),
  volumes: z.record(z.string(), z.unknown()).nullish(),
})

/** Top-level members that are read, or do nothing. */
const KNOWN = new Set(['services', 'networks', 'volumes', 'version', 'name'])

/**
 * Reads a `docker-compose.yaml`: what its services are, and nothing that reaches this machine. Throws an Error with one
 * sentence about the first part that is not supported.
 */
export function readCompose(text: string, variables: ComposeVariables): Compose {
  const parsed = fileSchema.safeParse(interpolate(parseYaml(text), variables))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`its ${issue?.path.join('.') || 'content'} is not that of a compose file`)
  }
  const { services: all, networks, volumes } = parsed.data
  for (const name of Object.keys(parsed.data))
    if (!KNOWN.has(name) && !name.startsWith('x-'))
      throw new Error(
        `it has ${name.slice(0, 60)}, which reaches out of it: remove ${name.slice(0, 60)}`,
      )
  const names = Object.keys(all)
  if (names.length > MAX_SERVICES)
    throw new Error(`it has ${countOf(names.length, 'service')}, more than ${MAX_SERVICES}`)
  const read = (name: string) => inService(name, () => readService(name, all[name], variables))
  const main = read(MAIN)
  inService(MAIN, () => refuseMain(main))
  const services = names.filter((name) => name !== MAIN).map(read)
  const compose = { main, services, networks: readNetworks(networks ?? {}) }
  for (const service of [main, ...services])
    inService(service.name, () => checkNames(service, compose, Object.keys(volumes ?? {})))
  refuseVolumes(volumes ?? {})
  return compose
}

function parseYaml(text: string): unknown {
  if (text.length > MAX_CHARS) throw new Error('it is longer than a compose file can be')
  const document = parseDocument(text, { merge: true, prettyErrors: false })
  const [broken] = document.errors
  const problem = broken?.message.split('\n')[0]
  if (problem) throw new Error(`it is not valid YAML: ${problem.slice(0, 200)}`)
  return document.toJS({ maxAliasCount: 100 })
}

function inService<T>(name: string, get: () => T): T {
  try {
    return get()
  } catch (error) {
    throw new Error(`service ${name} ${(error as Error).message}`)
  }
}

/** `main` is started again for each program, so its own command can only wait. */
function refuseMain({ plain }: Service): void {
  const { command, ...others } = plain
  const words = Array.isArray(command) ? command.map(String).join(' ') : String(command ?? '')
  if (
    !/^((\/bin\/)?(ba)?sh -c )?["']?((exec )?sleep (infinity|\d+)|tail -f \/dev\/null)?["']?$/.test(
      words,
    )
  )
    throw new Error('starts a program of its own: make it the ENTRYPOINT of its image')
  const hints: Readonly<Record<string, string>> = {
    healthcheck: 'write it as [environment.healthcheck] of task.toml',
    working_dir: 'write it as environment.workdir of task.toml',
    user: 'write it as agent.user and verifier.user of task.toml',
  }
  for (const name of Object.keys(others)) {
    if (['init', 'hostname', 'stop_signal', 'stop_grace_period'].includes(name)) continue
    throw new Error(`has ${name}: ${hints[name] ?? 'write it into its Dockerfile'}`)
  }
}

function readNetworks(networks: Readonly<Record<string, unknown>>): Compose['networks'] {
  const schema = z.object({ internal: z.boolean().optional() })
  const entries = Object.entries({ default: null, ...networks }).map(([name, raw]) => {
    const unknown = Object.keys(raw ?? {}).find(
      (key) => !['internal', 'driver', 'labels', 'name'].includes(key),
    )
    const { driver } = (raw ?? {}) as { driver?: unknown }
    if (unknown !== undefined || (driver !== undefined && driver !== 'bridge'))
      throw new Error(
        `its network ${name.slice(0, 60)} is not one of its own: remove ${unknown ?? 'driver'}`,
      )
    const parsed = schema.safeParse(raw ?? {})
    if (!/^[\w.-]{1,60}$/.test(name) || !parsed.success)
      throw new Error(`its network ${name.slice(0, 60)} cannot be read`)
    return [name, { isInternal: parsed.data.internal === true }] as const
  })
  return Object.fromEntries(entries)
}

function refuseVolumes(volumes: Readonly<Record<string, unknown>>): void {
  for (const [name, raw] of Object.entries(volumes)) {
    const unknown = Object.keys(raw ?? {}).find(
      (key) => !['driver', 'labels', 'name'].includes(key),
    )
    const { driver } = (raw ?? {}) as { driver?: unknown }
    if (unknown === undefined && (driver === undefined || driver === 'local')) continue
    throw new Error(
      `its volume ${name.slice(0, 60)} is not one of its own: remove ${unknown ?? 'driver'}`,
    )
  }
}

function checkNames(service: Service, compose: Compose, volumes: readonly string[]): void {
  const { name, networks, mounts, image, build } = service
  checkOrder(service, compose)
  const network = Object.keys(networks ?? {}).find((one) => !Object.hasOwn(compose.networks, one))
  if (network !== undefined)
    throw new Error(`is in the network ${network.slice(0, 60)}, which is not declared`)
  if (name === MAIN && Object.keys(networks ?? {}).length > 1)
    throw new Error('is in more than one network: put it into one')
  for (const mount of mounts)
    if (mount.kind === 'volume' && !volumes.includes(mount.name))
      throw new Error(`mounts the volume ${mount.name.slice(0, 60)}, which is not declared`)
  if (name !== MAIN && image === null && build === null)
    throw new Error('has neither an image nor a build')
}

function checkOrder({ name, after }: Service, { services }: Compose): void {
  if (after[MAIN] !== undefined)
    throw new Error('waits for main, which starts after all other services: remove depends_on')
  const others = services.map((one) => one.name).filter((one) => one !== name)
  const missing = Object.keys(after).find((one) => !others.includes(one))
  if (missing !== undefined)
    throw new Error(`waits for ${missing.slice(0, 60)}, which is not another service`)
}
