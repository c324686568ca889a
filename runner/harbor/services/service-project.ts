import type { Compose, Service, ServiceMount } from './service.ts'

type Parts = {
  /** Unique to the attempt. */
  project: string
  /** Images by the name of the service. */
  images: ReadonlyMap<string, string>
  /** Labels by which a later runner finds what a killed one left. */
  labels: Readonly<Record<string, string>>
  /** True if the task has a network. */
  isOnline: boolean
  /** A copy of the task's `environment/`. */
  files: string
  /** Limits of a service that declares none. */
  limits: { memoryBytes: number; processes: number; fileBytes: number }
}

/** The real name of a network or volume of a project. */
export const nameInProject = (project: string, name: string): string => `${project}-${name}`

/** An internal network alone still reaches the ports of this machine, at the address that it has in each network. */
const CLOSED = {
  internal: true,
  driver_opts: { 'com.docker.network.bridge.inhibit_ipv4': 'true' },
}

/**
 * Describes the services beside `main` as a compose file of their own. Every member is written here, so that compose never
 * reads the file of the task.
 */
export function describeProject(compose: Compose, parts: Parts): object {
  const { project, labels, isOnline } = parts
  const used = compose.services.flatMap(({ mounts }) =>
    mounts.flatMap((mount) => (mount.kind === 'volume' ? [mount.name] : [])),
  )
  const networks = Object.entries(compose.networks).map(([name, { isInternal }]) => {
    const closed = isInternal || !isOnline ? CLOSED : {}
    return [name, { name: nameInProject(project, name), ...closed, labels }]
  })
  const volumes = used.map((name) => [name, { name: nameInProject(project, name), labels }])
  return {
    services: Object.fromEntries(
      compose.services.map((service) => [service.name, describeService(service, parts)]),
    ),
    networks: Object.fromEntries(networks),
    volumes: Object.fromEntries(volumes),
  }
}

function describeService(service: Service, { images, labels, files, limits }: Parts): object {
  const { plain, env, after, mounts, networks, limits: own } = service
  return {
    ...(escapeDollars(plain) as object),
    image: images.get(service.name),
    environment: escapeDollars(env),
    depends_on: Object.fromEntries(
      Object.entries(after).map(([name, condition]) => [name, { condition }]),
    ),
    volumes: mounts.map((mount) => describeMount(mount, files)),
    ...(networks === null
      ? { network_mode: 'none' }
      : {
          networks: Object.fromEntries(
            Object.entries(networks).map(([name, aliases]) => [name, { aliases }]),
          ),
        }),
    labels,
    mem_limit: own.memoryBytes ?? limits.memoryBytes,
    memswap_limit: own.memoryBytes ?? limits.memoryBytes,
    pids_limit: own.processes ?? limits.processes,
    ...(own.cpus === null ? {} : { cpus: own.cpus }),
    ulimits: { core: 0, fsize: limits.fileBytes },
    security_opt: ['no-new-privileges'],
    logging: { driver: 'json-file', options: { 'max-size': '1m', 'max-file': '1' } },
  }
}

function describeMount(mount: ServiceMount, files: string): object {
  switch (mount.kind) {
    case 'volume':
      return {
        type: 'volume',
        source: mount.name,
        target: mount.target,
        read_only: mount.isReadOnly,
      }
    case 'memory':
      return { type: 'tmpfs', target: mount.target }
    case 'files':
      return {
        type: 'bind',
        source: `${files}/${mount.path}`.replaceAll('$', '$$$$'),
        target: mount.target,
        read_only: true,
      }
  }
}

/** Compose would replace variables again. */
function escapeDollars(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$', '$$$$')
  if (Array.isArray(value)) return value.map(escapeDollars)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, escapeDollars(one)]))
}
