import type { HarborTask } from '#lib/domain/tasks/index.ts'
import type { Change } from '../../repository/overlay.ts'
import type { DescribedTask } from '../describe-task.ts'
import type { LoadedHarbor } from '../harbor-folder.ts'
import type { ComposeVariables } from './interpolate.ts'
import { readCompose } from './read-compose.ts'
import { type Compose, MAIN } from './service.ts'

const FILES = ['docker-compose.yaml', 'docker-compose.yml', 'compose.yaml', 'compose.yml']

/** The name that Harbor gives the image of `main`. */
const MAIN_IMAGE = 'main'

/** The services of a task: the file as it is, and its content, or why they cannot be started. */
export type TaskServices =
  | { text: string; compose: Compose; refusal: null }
  | { text: null; compose: null; refusal: string | null }

const NONE = { text: null, compose: null, refusal: null }

/** Reads the compose file of a task, where it has one. */
export function readTaskServices(
  beside: readonly Change[],
  about: Pick<DescribedTask, 'env' | 'image' | 'limits' | 'agent' | 'verifier' | 'steps'>,
): TaskServices {
  const name = FILES.find((one) => beside.some(({ path }) => path === one))
  const bytes = beside.find(({ path }) => path === name)?.bytes
  if (name === undefined || !bytes) {
    const unknown = findUnknown(about, [])
    const why = `task.toml collects from ${unknown}, and there is no environment/${FILES[0]}`
    return unknown === undefined ? NONE : { ...NONE, refusal: why }
  }
  const refuse = (why: string): TaskServices => ({
    ...NONE,
    refusal: `cannot be started from environment/${name}: ${why}`,
  })
  try {
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
    const compose = readCompose(text, composeVariables(about))
    const why = refuseFiles(compose, beside) ?? refuseParts(about, compose)
    return why === null ? { text, compose, refusal: null } : refuse(why)
  } catch (error) {
    return refuse((error as Error).message.slice(0, 500))
  }
}

/** Returns the services of a task, with the values of its variables; null = it has none. */
export function servicesOf({ compose, task }: LoadedHarbor): Compose | null {
  return compose === null ? null : readCompose(compose, composeVariables(task))
}

/** Variables that a compose file can use: those of the task, and Harbor's own. */
function composeVariables({
  env,
  image,
  limits: { cpus, memoryMb },
}: Pick<HarborTask, 'env' | 'image' | 'limits'>): ComposeVariables {
  const logs = ['agent', 'verifier', 'artifacts'].flatMap((name) =>
    ['HOST', 'ENV'].map((side) => [
      `${side}_${name === 'artifacts' ? 'ARTIFACTS' : `${name.toUpperCase()}_LOGS`}_PATH`,
      `/logs/${name}`,
    ]),
  )
  return {
    ...env,
    ...Object.fromEntries(logs),
    CONTEXT_DIR: '.',
    MAIN_IMAGE_NAME: MAIN_IMAGE,
    PREBUILT_IMAGE_NAME: image ?? MAIN_IMAGE,
    TEST_DIR: '/tests',
    CPUS: String(cpus ?? ''),
    MEMORY: memoryMb === null ? '' : `${memoryMb}m`,
    NETWORK_MODE: 'bridge',
  }
}

/** The image that `main` names in the compose file; null = none. */
export function mainImageOf({ main: { image, build } }: Compose): string | null {
  return build !== null || image === MAIN_IMAGE ? null : image
}

function refuseFiles({ main, services }: Compose, beside: readonly Change[]): string | null {
  const hasBelow = (path: string) =>
    beside.some((one) => one.path === path || one.path.startsWith(`${path}/`))
  for (const { name, mounts, build } of [main, ...services]) {
    const lost = mounts.find((one) => one.kind === 'files' && !hasBelow(one.path))
    if (lost?.kind === 'files')
      return `service ${name} mounts ${lost.path}, which is not in environment/`
    const file =
      build && [build.context, build.dockerfile ?? 'Dockerfile'].filter(Boolean).join('/')
    if (file && !hasBelow(file)) return `service ${name} is built from ${file}, which is missing`
  }
  return null
}

/** Parts that share the services of an attempt have to share their network and know them by name. */
function refuseParts(
  { agent, verifier, steps = [] }: Pick<DescribedTask, 'agent' | 'verifier' | 'steps'>,
  { services }: Compose,
): string | null {
  const parts = steps.length > 0 ? steps : [{ agent, verifier }]
  const networks = new Set(
    parts.flatMap((part) => [
      part.agent.network,
      ...(part.verifier.separate === undefined ? [part.verifier.network] : []),
    ]),
  )
  if (networks.size > 1)
    return 'agent and verifier reach its services over one network, and task.toml gives them different ones: give all parts the same network_mode'
  const unknown = findUnknown({ verifier, steps }, services)
  return unknown === undefined ? null : `task.toml collects from ${unknown}, which is not a service`
}

/** Returns a service that the task collects from and does not have. */
function findUnknown(
  { verifier, steps = [] }: Pick<DescribedTask, 'verifier' | 'steps'>,
  services: Compose['services'],
): string | undefined {
  const requested = [{ verifier }, ...steps].flatMap(({ verifier: { collect = [], separate } }) => [
    ...collect.map(({ service }) => service),
    ...(separate?.ofServices ?? []).map(({ service }) => service),
  ])
  return requested.find((one) => one !== MAIN && services.every(({ name }) => name !== one))
}

/** Lists the memory that services declare as their limit. */
export function limitsOfServices(task: LoadedHarbor): { name: string; bytes: number }[] {
  const declared = servicesOf(task)?.services ?? []
  return declared.flatMap(({ name, limits: { memoryBytes: bytes } }) =>
    bytes === null ? [] : [{ name, bytes }],
  )
}
