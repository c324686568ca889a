import { docker, dockerEnv } from '../../sandbox/isolation/docker/docker-client.ts'
import { runTool } from '../../sandbox/process/run-tool.ts'
import type { LoadedHarbor } from '../harbor-folder.ts'

const MISSING =
  'docker compose is not installed: install the compose plugin of docker (docker-compose-plugin), or Debian’s package docker-compose'

/** The program that starts services, as the beginning of its command; otherwise one sentence that says what to install. */
export type FoundCompose = { ok: true; command: readonly string[] } | { ok: false; refusal: string }

/** Returns why the services of a task cannot be started here; null = they can, or it has none. */
export async function findServicesRefusal({
  compose,
  task,
}: Pick<LoadedHarbor, 'compose' | 'task'>): Promise<string | null> {
  if (compose === null) return null
  const program = await findCompose()
  return program.ok ? null : `${task.taskId} has services: ${program.refusal}`
}

let found: Promise<FoundCompose> | null = null

/** Looks for docker's plugin, then for the older program of its own. Asked once. */
export function findCompose(): Promise<FoundCompose> {
  found ??= find()
  return found
}

async function find(): Promise<FoundCompose> {
  const plugin = await docker(['compose', 'version'])
  if (plugin.code === 0) return { ok: true, command: ['docker', 'compose'] }
  const argv = ['docker-compose', 'version']
  const program = await runTool(argv, { env: dockerEnv(), timeoutMs: 60_000 })
  if (program.code === 0) return { ok: true, command: ['docker-compose'] }
  found = null // it may be installed while this process runs
  return { ok: false, refusal: MISSING }
}
