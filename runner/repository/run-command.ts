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

/** What judging needs besides the task. */
export type VerifySettings = {
  isolation: Isolation
  /** New folders are made there, and a guard removes what a killed runner left. */
  temporary: string
  runMark: string
  signal: AbortSignal
}

/** Where commands of a task run, and what stops them. */
export type CommandPlace = Pick<
  EnclosedAttempt,
  'isolation' | 'runMark' | 'signal' | 'marker' | 'baseBytes'
> &
  Places & { folder: string }

/**
 * Runs a command of a task's author over a tree that may be hostile: sandboxed, with the environment that a subject
 * gets, a HOME of its own, no network unless the task asks, and gone with all that it started when this returns.
 */
export async function runTaskCommand(
  place: CommandPlace,
  {
    command,
    limits,
    network,
    log,
  }: {
    command: string | readonly string[]
    limits: EnclosedSettings
    network: boolean
    log: CappedLog
  },
): Promise<ProcessEnding> {
  const inside = place.isolation.inside(place)
  const env = subjectEnv({ ...inside, runMark: place.runMark }, RUNNER_ENV)
  return runEnclosed({ ...place, network, log, settings: limits }, { command, env })
}

/** The folder of a report in a place, as the command sees it and as this machine has it. */
export async function makeReportPath(
  place: CommandPlace,
  name: string,
): Promise<{ inside: string; below: string }> {
  await mkdir(join(place.temporary, name))
  const below = join(name, 'report')
  return { inside: join(place.isolation.inside(place).temporary, below), below }
}
