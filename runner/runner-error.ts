import type { Problem } from '#lib/domain/text/index.ts'

/**
 * Exit codes: 2 = the caller can change the request or the machine's set-up, 1 = a problem of this place or moment, 130
 * = interrupted.
 */
const KINDS = {
  usage: { exitCode: 2, ofMachine: false },
  /** A subject that cannot run as requested. */
  subject: { exitCode: 2, ofMachine: false },
  /** A suite or task folder that cannot be used. */
  suite: { exitCode: 2, ofMachine: false },
  browser: { exitCode: 2, ofMachine: true },
  /** A full disk, a folder in use, a missing program. */
  place: { exitCode: 1, ofMachine: false },
  /** Results could not be delivered; the same command may succeed later. */
  delivery: { exitCode: 1, ofMachine: false },
  /** The command was stopped. */
  stopped: { exitCode: 130, ofMachine: false },
  machine: { exitCode: 1, ofMachine: true },
  /** A task whose own reference does not pass its tests here now. */
  'stale-task': { exitCode: 1, ofMachine: true },
  /** The server of the apps is gone or does not respond. */
  'app-server': { exitCode: 1, ofMachine: true },
} as const

type RunnerErrorKind = keyof typeof KINDS
type About = ErrorOptions & { options?: readonly string[]; problems?: readonly Problem[] }

/** An expected failure of the runner, with its exit code and a message of one sentence. */
export class RunnerError extends Error {
  readonly kind: RunnerErrorKind
  readonly exitCode: 1 | 2 | 130
  /** The machine failed: an attempt in progress is excluded from scoring. */
  readonly ofMachine: boolean
  /** The options that it is about, such as `--fault`; empty = none in particular. */
  readonly options: readonly string[]
  /** Problems of a suite, file by file. */
  readonly problems: readonly Problem[]

  constructor(kind: RunnerErrorKind, message: string, about: About = {}) {
    super(message, about)
    this.kind = kind
    this.exitCode = KINDS[kind].exitCode
    this.ofMachine = KINDS[kind].ofMachine
    this.options = about.options ?? []
    this.problems = about.problems ?? []
  }
}

export function isRunnerError(error: unknown, kind?: RunnerErrorKind): error is RunnerError {
  return error instanceof RunnerError && (kind === undefined || error.kind === kind)
}

/** `options` are those that the caller has to change. */
export function usageError(message: string, ...options: string[]): RunnerError {
  return new RunnerError('usage', message, { options })
}

export function subjectError(message: string, ...options: string[]): RunnerError {
  return new RunnerError('subject', message, { options })
}

/** Names the folder and, for each problem, the file, field and reason. */
export function suiteError(
  message: string,
  problems: readonly Problem[] = [],
  ...options: string[]
): RunnerError {
  const lines = problems.map(({ path, message: text }) => `  ${path}: ${text}`)
  return new RunnerError('suite', [message, ...lines].join('\n'), { problems, options })
}

export function browserError(message: string): RunnerError {
  return new RunnerError('browser', message)
}

export function placeError(message: string): RunnerError {
  return new RunnerError('place', message)
}

export function stoppedError(message: string): RunnerError {
  return new RunnerError('stopped', message)
}

export function deliveryError(message: string, about?: ErrorOptions): RunnerError {
  return new RunnerError('delivery', message, about)
}

export function machineError(message: string): RunnerError {
  return new RunnerError('machine', message)
}

export function staleTaskError(message: string): RunnerError {
  return new RunnerError('stale-task', message)
}

export function appServerError(message: string): RunnerError {
  return new RunnerError('app-server', message)
}

const OF_THE_MACHINE = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO'])

/** Attributes an error in an attempt to this machine or to the harness. */
export function faultOf(error: unknown): 'infrastructure' | 'harness' {
  const { code } = error as NodeJS.ErrnoException
  const ofMachine =
    (isRunnerError(error) && error.ofMachine) || (code !== undefined && OF_THE_MACHINE.has(code))
  return ofMachine ? 'infrastructure' : 'harness'
}
