import type { CollectPart } from '#lib/domain/tasks/index.ts'
import { machineError } from '../../runner-error.ts'
import { docker, lastWord } from '../../sandbox/isolation/docker/docker-client.ts'
import type { ContainerPath } from '../artifacts.ts'
import type { LoadedHarbor } from '../harbor-folder.ts'
import { type Before, runCommand } from '../prepare-step.ts'
import { MAIN } from './service.ts'
import type { RunningServices } from './start-services.ts'

/**
 * Runs what a step collects before its verifier, in order: those of `main` in its files, the others in their running service.
 * Returns a line for each that failed, as in Harbor, where the verifier misses what it left.
 */
export async function collectFrom(
  step: LoadedHarbor,
  services: RunningServices | null,
  inMain: (user: string | null) => Before,
): Promise<string> {
  const lines: string[] = []
  for (const hook of step.task.verifier.collect ?? []) {
    const problem =
      hook.service === MAIN
        ? await runCommand(step, inMain(hook.user), hook.command, hook.timeoutMs)
        : await runIn(hook, services)
    if (problem !== null) lines.push(`collecting from ${hook.service} failed: it ${problem}\n`)
  }
  return lines.join('')
}

async function runIn(
  { service, command, timeoutMs, user }: CollectPart,
  services: RunningServices | null,
): Promise<string | null> {
  const id = await containerOf(service, services)
  const as = user === null ? [] : [`--user=${user}`]
  const ended = await docker(['exec', ...as, id, '/bin/sh', '-c', command], timeoutMs)
  return ended.code === 0 ? null : `ended with ${ended.code ?? ended.endedBy}: ${lastWord(ended)}`
}

/** Finds the containers whose files a separate verifier gets. */
export async function findArtifacts(
  requested: readonly { service: string; path: string }[],
  services: RunningServices | null,
): Promise<ContainerPath[]> {
  const found: ContainerPath[] = []
  for (const { service, path } of requested)
    found.push({ container: await containerOf(service, services), path })
  return found
}

async function containerOf(service: string, services: RunningServices | null): Promise<string> {
  if (services === null) throw machineError(`the service ${service} is not running`)
  return services.containerOf(service)
}
