/** The build of a service's image, from a folder of the task. */
export type Build = {
  /** Relative to the task's `environment/`; empty = itself. */
  context: string
  /** Relative to the context; null = `Dockerfile`. */
  dockerfile: string | null
  args: Readonly<Record<string, string>>
  target: string | null
}

/** A mount of a service: a volume of the project, files of the task, or memory. */
export type ServiceMount =
  | { kind: 'volume'; name: string; target: string; isReadOnly: boolean }
  | { kind: 'files'; path: string; target: string }
  | { kind: 'memory'; target: string }

/** The state that another service waits for before it starts. */
export const CONDITIONS = [
  'service_started',
  'service_healthy',
  'service_completed_successfully',
] as const
export type Condition = (typeof CONDITIONS)[number]

export type ServiceLimits = {
  cpus: number | null
  memoryBytes: number | null
  processes: number | null
}

/** One service of a compose file, with nothing in it that reaches out of its container. */
export type Service = {
  name: string
  /** Null = it is built. */
  image: string | null
  build: Build | null
  /** Members that compose gets as they are. */
  plain: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string>>
  after: Readonly<Record<string, Condition>>
  mounts: readonly ServiceMount[]
  /** Other names of it, by network; null = no network. */
  networks: Readonly<Record<string, readonly string[]>> | null
  limits: ServiceLimits
}

/** A compose file: `main`, where agent and verifier run, and the services beside it. */
export type Compose = {
  main: Service
  services: readonly Service[]
  /** Networks by name; `isInternal` = without a way out. */
  networks: Readonly<Record<string, { isInternal: boolean }>>
}

/** The service in which agent and verifier run. */
export const MAIN = 'main'
