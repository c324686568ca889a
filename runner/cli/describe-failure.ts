import { join } from 'node:path'
import { CommanderError } from 'commander'
import { formatPathError, formatUsageError } from '#lib/domain/runs/index.ts'
import { plainText } from '#lib/domain/text/index.ts'
import { explainClosed, explainSuites } from '#lib/setup/folders.mjs'
import { isRunnerError, type RunnerError } from '../runner-error.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

/** A failed command: its exit code, its text for stderr, and its machine-readable message, by option. */
type Failure = { exitCode: number; text: string; message: string; options?: readonly string[] }

/** Describes a command's exception; exit code 0 = it only printed its help or version. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) {
    const line = plainText(formatUsageError(error, 'proofboard --help'))
    return { exitCode: error.exitCode === 0 ? 0 : 2, text: line, message: line }
  }
  if (!isRunnerError(error)) return describeUnexpected(error as SystemError)
  const { exitCode, message, options } = error
  return { exitCode, text: plainLines(error), message, options }
}

/**
 * A refusal repeats user input, which may contain line breaks and escapes; those about suites and machines have several
 * lines.
 */
function plainLines({ kind, message }: RunnerError): string {
  const isOneSentence = kind === 'usage' || kind === 'subject'
  return isOneSentence ? plainText(message) : message.split('\n').map(plainText).join('\n')
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST', 'EISDIR'])

// A missing file of ours is a bug, not a place that cannot be written.
const WRITING = new Set(['mkdir', 'open', 'rename', 'write', 'fsync'])

const REFUSED = new Set(['EACCES', 'EPERM'])

/** Describes a file or folder that this user may not read; null = readable. */
function describeClosed(path: string): string | null {
  const reason = explainClosed(path)
  if (reason === null) return null
  return explainSuites(join(PROJECT_ROOT, 'exercises')) ?? `cannot read ${path}: ${reason}`
}

/** For a rename, `dest` is the new name. */
type SystemError = NodeJS.ErrnoException & { dest?: string }

/** Returns the file system's error, even if wrapped. */
function systemError(error: SystemError): SystemError {
  const cause = error.cause as SystemError | undefined
  return error.syscall === undefined && cause?.syscall !== undefined ? cause : error
}

function describeUnexpected(error: SystemError): Failure {
  const unusable = formatPathError(error)
  if (unusable !== null) return { exitCode: 2, text: plainText(unusable), message: unusable }
  const { code = '', syscall = '', path, dest } = systemError(error)
  if (code === 'EISDIR' && dest !== undefined) {
    const message = `${dest} is a folder: choose a file`
    return { exitCode: 2, text: plainText(message), message }
  }
  const known = (message: string) => ({ exitCode: 1, text: plainText(message), message })
  if (error.name === 'SetupFailure') return known(error.message)
  const closed = REFUSED.has(code) && path !== undefined ? describeClosed(path) : null
  if (closed !== null) return known(closed)
  if (code === 'ENOSPC')
    return known(
      `the disk is full (${error.message}): finished episodes are kept; free disk space and try again`,
    )
  if (UNWRITABLE.has(code) && WRITING.has(syscall))
    return known(
      `cannot write there (${error.message}): choose another place for the output or the data folder (PROOFBOARD_DATA_DIR)`,
    )
  const message = `proofboard failed unexpectedly, please report this bug: ${error.message}`
  return {
    exitCode: 1,
    text: message.replace(error.message, () => error.stack ?? error.message),
    message,
  }
}
