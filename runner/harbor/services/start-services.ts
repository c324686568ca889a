import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Workspace } from '../../engine/workspace.ts'
import { readOverlay } from '../../repository/overlay.ts'
import { machineError, suiteError } from '../../runner-error.ts'
import { lastWord } from '../../sandbox/isolation/docker/docker-client.ts'
import { containerEnv } from '../../sandbox/isolation/docker/run-container.ts'
import { runnerLabels } from '../../sandbox/isolation/docker/sweep-containers.ts'
import { runTool } from '../../sandbox/process/run-tool.ts'
import type { LoadedHarbor } from '../harbor-folder.ts'
import { prepareServiceImages } from '../image.ts'
import type { HarborSettings } from '../place.ts'
import { showFiles } from '../run-script.ts'
import { findCompose } from './find-compose.ts'
import { type Compose, MAIN } from './service.ts'
import { describeProject, nameInProject } from './service-project.ts'
import { judgeReadiness, lastLineOf, listServices } from './service-states.ts'
import { servicesOf } from './task-services.ts'

/** The running services of one attempt. */
export type RunningServices = {
  /** Options of `docker run` by which a program of `main` reaches them; null = it shares no network with them. */
  network: readonly string[] | null
  /** Options of `docker run` for the volumes that `main` shares with them. */
  mounts: readonly string[]
  /** Paths of these volumes. */
  targets: readonly string[]
  /** Returns the container of a service, which may have ended. Throws a RunnerError if there is none. */
  containerOf: (service: string) => Promise<string>
  stop: () => Promise<void>
}

const MB = 2 ** 20
const LIMITS = { memoryBytes: 2048 * MB, processes: 1024, fileBytes: 2048 * MB }
const POLL_MS = 500
const STOP_MS = 120_000

/**
 * Starts the services beside `main` under a project of its own, and waits until all are ready. Returns null for a task
 * without services. Throws a RunnerError with the service that is not ready, after all were stopped.
 */
export async function startServices(
  task: LoadedHarbor,
  place: Workspace,
  { runMark, signal }: HarborSettings,
): Promise<RunningServices | null> {
  const compose = servicesOf(task)
  if (compose === null || compose.services.length === 0) return null
  const found = await findCompose()
  if (!found.ok) throw suiteError(`${task.task.taskId} has services: ${found.refusal}`)
  const images = await prepareServiceImages(task)
  const project = `proofboard-${randomBytes(12).toString('hex')}`
  const file = join(place.folder, 'services.json')
  const overlay = readOverlay(join(task.folder, 'environment'))
  const { host: files } = await showFiles(place, 'environment', overlay)
  const { memoryMb, storageMb, buildMs } = task.task.limits
  const described = describeProject(compose, {
    project,
    images,
    labels: runnerLabels(runMark),
    isOnline: task.task.agent.network === 'on',
    files,
    limits: {
      ...LIMITS,
      ...(memoryMb === null ? {} : { memoryBytes: memoryMb * MB }),
      ...(storageMb === null ? {} : { fileBytes: storageMb * MB }),
    },
  })
  // It contains the values of variables.
  await writeFile(file, JSON.stringify(described), { mode: 0o600 })
  const run = (args: readonly string[], timeoutMs: number, stopping?: AbortSignal) =>
    runTool([...found.command, '--project-name', project, '--file', file, ...args], {
      env: containerEnv(runMark),
      timeoutMs,
      ...(stopping && { signal: stopping }),
    })
  const stop = async () => {
    const down = ['down', '--volumes', '--remove-orphans', '--timeout', '1']
    const ended = await run(down, STOP_MS)
    if (ended.code !== 0)
      throw machineError(
        `the services of ${task.task.taskId} cannot be stopped: ${lastWord(ended)}`,
      )
  }
  try {
    const untilMs = Date.now() + buildMs
    const started = await run(['up', '--detach', '--no-build'], buildMs, signal)
    signal.throwIfAborted()
    const failure = await waitUntilReady(compose, { project, untilMs, signal })
    if (failure !== null) throw suiteError(`${task.task.taskId} cannot be started: ${failure}`)
    if (started.code !== 0)
      throw suiteError(
        `the services of ${task.task.taskId} cannot be started: ${lastWord(started)}`,
      )
  } catch (error) {
    await stop().catch(() => {}) // the first failure says more
    throw error
  }
  return {
    ...connectMain(compose, project),
    containerOf: async (service) => {
      const state = (await listServices(project)).find((one) => one.service === service)
      if (state === undefined) throw machineError(`the service ${service} is gone`)
      return state.id
    },
    stop,
  }
}

type Wait = { project: string; untilMs: number; signal: AbortSignal }

/** Returns how the services failed; null = they are ready. */
async function waitUntilReady(
  compose: Compose,
  { project, untilMs, signal }: Wait,
): Promise<string | null> {
  for (;;) {
    const states = await listServices(project)
    const found = judgeReadiness(compose, states)
    if (found.kind === 'ready') return null
    const isLate = Date.now() > untilMs
    if (found.kind === 'failed' || isLate) {
      const why = found.kind === 'failed' ? found.why : 'is not ready in time'
      return `service ${found.service} ${why} ("${await lastLineOf(found.service, states)}")`
    }
    // No container was created, so none can become ready.
    if (states.length === 0) return null
    await sleep(POLL_MS, undefined, { signal })
  }
}

/** Returns how programs of `main` reach the services: by their network, and by the volumes that both have. */
function connectMain(
  { main, services }: Compose,
  project: string,
): Pick<RunningServices, 'network' | 'mounts' | 'targets'> {
  const [network] = Object.keys(main.networks ?? {})
  const isShared = services.some(({ networks }) => Object.hasOwn(networks ?? {}, network ?? ''))
  const aliases = [MAIN, ...(main.networks?.[network ?? ''] ?? [])]
  const used = new Set(
    services.flatMap(({ mounts }) =>
      mounts.flatMap((mount) => (mount.kind === 'volume' ? [mount.name] : [])),
    ),
  )
  const volumes = main.mounts.flatMap((mount) =>
    mount.kind === 'volume' && used.has(mount.name) ? [mount] : [],
  )
  return {
    network:
      network === undefined || !isShared
        ? null
        : [
            `--network=${nameInProject(project, network)}`,
            ...aliases.map((alias) => `--network-alias=${alias}`),
            `--hostname=${MAIN}`,
          ],
    mounts: volumes.map(
      ({ name, target, isReadOnly }) =>
        `--mount=type=volume,source=${nameInProject(project, name)},"target=${target.replaceAll('"', '""')}"${isReadOnly ? ',readonly' : ''}`,
    ),
    targets: volumes.map(({ target }) => target),
  }
}
