import { hostname } from 'node:os'
import { listProcesses } from '../../process/list-processes.ts'
import { docker, LABEL } from './docker-client.ts'

/** Labels from which a later runner sees that the runner of a container is gone. */
export function runnerLabels(runMark: string): Record<string, string> {
  return {
    [LABEL.run]: runMark,
    [LABEL.host]: hostname(),
    [LABEL.runner]: identities().get(process.pid) ?? String(process.pid),
  }
}

/** The same as options of `docker run` and `docker create`. */
export function labelArgv(runMark: string): string[] {
  return Object.entries(runnerLabels(runMark)).map(([key, value]) => `--label=${key}=${value}`)
}

/**
 * Removes containers whose runner and guard are gone, their networks and volumes, and images committed from them, which
 * inherit their labels. Never touches those of other programs.
 */
export async function sweepContainers(): Promise<void> {
  const filter = `label=${LABEL.host}=${hostname()}`
  const format = `{{.ID}} {{.Label "${LABEL.runner}"}}`
  const listed = await docker([
    'ps',
    '--all',
    '--no-trunc',
    `--filter=${filter}`,
    `--format=${format}`,
  ])
  const containers = listOrphans(listed.stdout)
  if (containers.length > 0) await docker(['rm', '--force', '--volumes', ...containers], 60_000)
  for (const kind of ['network', 'volume'] as const) {
    const line = `{{.${kind === 'network' ? 'ID' : 'Name'}}} {{.Label "${LABEL.runner}"}}`
    const found = await docker([kind, 'ls', `--filter=${filter}`, `--format=${line}`])
    const orphans = listOrphans(found.stdout)
    if (orphans.length > 0) await docker([kind, 'rm', ...orphans], 60_000)
  }
  const { stdout } = await docker(['images', '--quiet', '--no-trunc', `--filter=${filter}`])
  const ids = stdout.split('\n').filter((id) => id !== '')
  if (ids.length === 0) return
  const labels = `--format={{.Id}} {{index .Config.Labels "${LABEL.runner}"}}`
  const images = listOrphans((await docker(['image', 'inspect', labels, ...ids])).stdout)
  if (images.length > 0) await docker(['rmi', '--force', ...images], 60_000)
}

/** Images with the programs of Proofboard, tagged with the key of their content. */
export const RUN_REPOSITORY = 'proofboard-run'

/** Images that are built from folders of tasks, tagged with the digest of the folder. */
export const TASK_REPOSITORY = 'proofboard-harbor'

const MAX_UNUSED_MS = 7 * 24 * 3_600_000

/**
 * Removes images of Proofboard's programs and of tasks that no run used for a week; the next one makes them again. Docker
 * keeps images that a container has.
 */
export async function sweepImages(nowMs = Date.now()): Promise<void> {
  for (const repository of [RUN_REPOSITORY, TASK_REPOSITORY]) await sweepUnused(repository, nowMs)
}

async function sweepUnused(repository: string, nowMs: number): Promise<void> {
  const { stdout } = await docker(['images', '--format', '{{.Tag}}', repository])
  const tags = stdout.split('\n').flatMap((tag) => (tag === '' ? [] : [`${repository}:${tag}`]))
  if (tags.length === 0) return
  const format = '--format={{.Metadata.LastTagTime.UnixMilli}}'
  const used = await docker(['image', 'inspect', format, ...tags])
  const times = used.stdout.split('\n')
  const unused = tags.filter((_, at) => Number(times[at] || nowMs) < nowMs - MAX_UNUSED_MS)
  if (used.code === 0 && unused.length > 0) await docker(['rmi', ...unused], 60_000)
}

/** Ids from lines `<id> <runner>` whose runner is gone. */
function listOrphans(text: string): string[] {
  const alive = new Set(identities().values())
  return text.split('\n').flatMap((line) => {
    const [id, runner] = line.trim().split(' ')
    return id && runner && !alive.has(runner) ? [id] : []
  })
}

/** Maps each pid to its pid and start time, because pids are reused. */
function identities(): Map<number, string> {
  return new Map(listProcesses().map(({ pid, identity }) => [pid, identity]))
}
