import { hostname } from 'node:os'
import { listProcesses } from '../../process/list-processes.ts'
import { docker, LABEL } from './docker-client.ts'

/** Labels by which a later runner can tell that the one that started a container is gone. */
export function runnerLabels(runMark: string): Record<string, string> {
  return {
    [LABEL.run]: runMark,
    [LABEL.host]: hostname(),
    [LABEL.runner]: identities().get(process.pid) ?? String(process.pid),
  }
}

/** Removes containers of this machine whose runner is gone, guard and all. Others' containers are never touched. */
export async function sweepContainers(): Promise<void> {
  const format = `{{.ID}} {{.Label "${LABEL.runner}"}}`
  const filter = `label=${LABEL.host}=${hostname()}`
  const { stdout } = await docker([
    'ps',
    '--all',
    '--no-trunc',
    '--filter',
    filter,
    '--format',
    format,
  ])
  const alive = new Set(identities().values())
  const orphans = stdout
    .split('\n')
    .map((line) => line.trim().split(' '))
    .filter(([id, runner]) => id && runner && !alive.has(runner))
    .map(([id]) => id as string)
  if (orphans.length > 0) await docker(['rm', '--force', '--volumes', ...orphans], 60_000)
}

/** Pid to pid and start time: pids are used again. */
function identities(): Map<number, string> {
  return new Map(listProcesses().map(({ pid, identity }) => [pid, identity]))
}
