import { z } from 'zod'
import { docker, lastWord } from '../../sandbox/isolation/docker/docker-client.ts'
import type { Compose, Service } from './service.ts'

/** Label by which compose marks the containers of a project. */
const PROJECT_LABEL = 'com.docker.compose.project'
const SERVICE_LABEL = 'com.docker.compose.service'

/** A container of a service. */
export type ServiceState = {
  id: string
  service: string
  /** Docker's word: `running`, `exited`, … */
  status: string
  exitCode: number
  /** Docker's word: `starting`, `healthy`, `unhealthy`; empty = it has no healthcheck. */
  health: string
}

// Docker's own template fails for a container without a healthcheck, whose state has no such key.
const FORMAT = `{{.Id}} {{index .Config.Labels "${SERVICE_LABEL}"}} {{json .State}}`
const stateSchema = z.object({
  Status: z.string(),
  ExitCode: z.number(),
  Health: z.object({ Status: z.string() }).nullish(),
})

/** Lists the containers of a project, also those that ended. */
export async function listServices(project: string): Promise<ServiceState[]> {
  const filter = `--filter=label=${PROJECT_LABEL}=${project}`
  const listed = await docker(['ps', '--all', '--quiet', '--no-trunc', filter])
  const ids = listed.stdout.split('\n').filter((id) => id !== '')
  if (ids.length === 0) return []
  // A container that was removed meanwhile makes docker fail; the others are listed.
  const { stdout } = await docker(['inspect', `--format=${FORMAT}`, ...ids])
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, id = '', service = '', state = ''] = /^(\S+) (\S*) (.*)$/.exec(line) ?? []
      const { Status: status, ExitCode: exitCode, Health } = stateSchema.parse(JSON.parse(state))
      return { id, service, status, exitCode, health: Health?.Status ?? '' }
    })
}

/** The readiness of services: all are ready, some have to be waited for, or one has failed. */
export type Readiness =
  | { kind: 'ready' }
  | { kind: 'waiting'; service: string }
  | { kind: 'failed'; service: string; why: string }

/** Judges whether the services of a task are ready: healthy where they have a check, ended where another waits for that. */
export function judgeReadiness(
  { main, services }: Compose,
  states: readonly ServiceState[],
): Readiness {
  const ends = new Set(
    [main, ...services].flatMap(({ after }) =>
      Object.entries(after).flatMap(([name, condition]) =>
        condition === 'service_completed_successfully' ? [name] : [],
      ),
    ),
  )
  const judged = services.map((service) =>
    judgeOne(
      service,
      states.find((state) => state.service === service.name),
      ends,
    ),
  )
  const failed = judged.find(({ kind }) => kind === 'failed')
  return failed ?? judged.find(({ kind }) => kind === 'waiting') ?? { kind: 'ready' }
}

function judgeOne(
  { name: service }: Service,
  state: ServiceState | undefined,
  ends: ReadonlySet<string>,
): Readiness {
  if (state === undefined) return { kind: 'waiting', service }
  const { status, exitCode, health } = state
  if (status === 'exited' || status === 'dead') {
    if (exitCode === 0 && ends.has(service)) return { kind: 'ready' }
    return { kind: 'failed', service, why: `ended with ${exitCode}` }
  }
  if (health === 'unhealthy') return { kind: 'failed', service, why: 'is not healthy' }
  const isReady = status === 'running' && health !== 'starting' && !ends.has(service)
  return isReady ? { kind: 'ready' } : { kind: 'waiting', service }
}

/** Returns the last line that a service printed. */
export async function lastLineOf(
  service: string,
  states: readonly ServiceState[],
): Promise<string> {
  const id = states.find((state) => state.service === service)?.id
  if (id === undefined) return 'nothing'
  const { stdout, stderr } = await docker(['logs', '--tail=1', id])
  return lastWord({ stderr: stderr || stdout })
}
