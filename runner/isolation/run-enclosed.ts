import type { Settings } from '#lib/domain/plan.ts'
import type { SubjectTurn } from '../controls/subject-driver.ts'
import { type ProcessEnding, runProcess } from '../process/run-process.ts'
import type { GatewayDoor, ProgramFolder } from './isolation.ts'
import { enclosedLimits, MOST_PROCESSES } from './limits.ts'
import { checkPrograms } from './private-folders.ts'

const GRACE_MS = 1500

/** One program of a subject: what to start, with paths as the turn's isolation shows them inside. */
export type EnclosedProgram = {
  /** A shell command line, or a program and its arguments, which no shell ever reads. */
  command: string | readonly string[]
  env: Record<string, string>
  /** A file of this machine that stdin reads from; without one stdin is closed. */
  stdin?: string | null
  /** Another time limit than the plan's, for a step before the subject's own or to wind up. */
  mostMs?: number
  programs?: readonly ProgramFolder[]
  gateway?: GatewayDoor | null
}

/** What of a turn matters for starting programs. */
export type EnclosedTurn = Pick<
  SubjectTurn,
  | 'isolation'
  | 'workspace'
  | 'home'
  | 'temporary'
  | 'folder'
  | 'marker'
  | 'runMark'
  | 'log'
  | 'signal'
> & { settings: Pick<Settings, 'timeoutMs' | 'diskQuotaBytes'> }

/** Runs a subject's program at the isolation level of its turn and answers when all of it is gone. */
export async function runEnclosed(
  turn: EnclosedTurn,
  program: EnclosedProgram,
): Promise<ProcessEnding> {
  const { isolation, workspace, home, temporary, folder, marker, runMark, settings } = turn
  const { stdin = null, mostMs = settings.timeoutMs, programs = [], gateway = null } = program
  const { diskQuotaBytes } = settings
  checkPrograms(programs)
  const enclosure = await isolation.enclose({
    command: program.command,
    env: isolation.path === null ? program.env : { ...program.env, PATH: isolation.path },
    places: { workspace, home, temporary },
    folder,
    programs,
    gateway,
    readsStdin: stdin !== null,
    limits: enclosedLimits(diskQuotaBytes),
    marker,
    runMark,
  })
  const ending = await runProcess({
    ...enclosure,
    stdin,
    folder,
    marker,
    timeoutMs: mostMs,
    diskQuotaBytes,
    maxProcesses: MOST_PROCESSES,
    graceMs: GRACE_MS,
    log: turn.log,
    signal: turn.signal,
  })
  return (await failedItself(isolation, ending)) ? { ...ending, cause: 'spawn-failed' } : ending
}

/**
 * Whether the walls failed and not the subject. Both may end with that exit code, so the machine is asked again:
 * its answer is nothing a subject can bend.
 */
async function failedItself(
  { ownFailure, available }: EnclosedTurn['isolation'],
  { cause, exitCode }: ProcessEnding,
): Promise<boolean> {
  if (cause !== 'exited' || ownFailure === null || exitCode !== ownFailure) return false
  return (await available()) !== null
}
