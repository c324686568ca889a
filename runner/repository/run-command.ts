import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Isolation, Places } from '../sandbox/isolation/isolation.ts'
import {
  type EnclosedAttempt,
  type EnclosedSettings,
  runEnclosed,
} from '../sandbox/isolation/run-enclosed.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import type { ProcessEnding } from '../sandbox/process/run-process.ts'
import { subjectEnv } from '../subjects/agents/agent-program.ts'

/** Inputs of judging besides the task. */
export type VerifySettings = {
  isolation: Isolation
  /** New folders are created here; a guard removes those of a killed runner. */
  temporary: string
  runMark: string
  signal: AbortSignal
  /** True = runs of trusted changes, which read the installed packages of a base in place; absent = each copies them. */
  sharesPackages?: boolean
  /** Called when a command starts, and with the last line that it prints while it runs; absent = steps are not reported. */
  onStep?: ((what: string) => void) | undefined
}

/** The environment in which commands of a task run, and their abort signal. */
export type CommandPlace = Pick<
  EnclosedAttempt,
  'isolation' | 'runMark' | 'signal' | 'marker' | 'baseBytes' | 'mounts'
> &
  Places & { folder: string }

/**
 * Runs a command of a task's author over a tree that may be hostile: sandboxed, with the environment of a subject, its
 * own HOME, no network unless the task requests it; all its processes have ended when this returns.
 */
export async function runTaskCommand(
  place: CommandPlace,
  {
    command,
    limits,
    network,
    log,
    env: more = {},
  }: {
    command: string | readonly string[]
    limits: EnclosedSettings
    network: boolean
    log: CappedLog
    /** Variables besides those of a subject. */
    env?: Record<string, string>
  },
): Promise<ProcessEnding> {
  const inside = place.isolation.inside(place)
  const env = { ...subjectEnv({ ...inside, runMark: place.runMark }, RUNNER_ENV), ...more }
  return runEnclosed({ ...place, network, log, settings: limits }, { command, env })
}

/** Creates the folder of a report in a place; returns its path for the command and on this machine. */
export async function makeReportPath(
  place: CommandPlace,
  name: string,
): Promise<{ inside: string; below: string }> {
  await mkdir(join(place.temporary, name))
  const below = join(name, 'report')
  return { inside: join(place.isolation.inside(place).temporary, below), below }
}
