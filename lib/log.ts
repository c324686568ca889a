import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { env, type LogLevel } from './env.ts'
import { processWide } from './process-wide.ts'

const ORDER: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

type Fields = Readonly<Record<string, unknown>>

/**
 * The log of one component: each call writes one JSON line to stderr (and PROOFBOARD_LOG_FILE), or nothing below the
 * configured level.
 */
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string, fields?: Fields) => void>

export function createLog(component: string): Log {
  const write = (level: LogLevel) => (message: string, fields?: Fields) => {
    if (ORDER[level] < ORDER[wantedLevel()]) return
    const head = { at: new Date().toISOString(), level, component, message }
    const text = JSON.stringify({ ...head, ...logContext(), ...fields }, redactField)
    process.stderr.write(`${text}\n`)
    keepInFile(`${text}\n`)
    if (level === 'warn' || level === 'error') {
      remember({ ...head, message: redactMessage(message), text })
    }
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/** Returns the configured level; an invalid environment must not stop its own error from being logged. */
function wantedLevel(): LogLevel {
  try {
    return env().logLevel
  } catch {
    return 'info'
  }
}

/** Number of recent warnings and errors of this process kept for the system page. */
const REMEMBERED = 50
const problems = processWide('problems', () => ({ recent: [] as readonly LogRecord[] }))

/** A line as written, with secrets redacted. */
export type LogRecord = {
  at: string
  level: string
  component: string
  message: string
  text: string
}

/** Returns the recent warnings and errors of this process, newest first. */
export function recentProblems(): LogRecord[] {
  return [...problems.recent].reverse()
}

function remember(line: LogRecord): void {
  problems.recent = [...problems.recent, line].slice(-REMEMBERED)
}

function keepInFile(text: string): void {
  try {
    const { logFile } = env()
    if (logFile !== null) appendFileSync(logFile, text)
  } catch {
    // A failure to write the file is ignored: the line went to stderr.
  }
}

/** Fields of all log lines of one piece of work: its request, job and run. */
export type LogContext = { requestId?: string; jobId?: string; runId?: string }

const contexts = processWide('log context', () => new AsyncLocalStorage<LogContext>())

/** Runs `work` with `context` added to all of its log lines. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run({ ...logContext(), ...context }, work)
}

export function logContext(): LogContext {
  return contexts.getStore() ?? {}
}

/** Names whose value must not be logged. */
const SECRET_NAMES =
  /^(authorization|proxy-authorization|cookie|set-cookie|password|secret|token|api-?key|x-api-key)$/i

const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  // Tokens of this server, in any context.
  [/\b(pbr?)_[A-Za-z0-9_-]{6,}/g, '$1_[redacted]'],
  // Identity tokens of CI systems, and passwords in database URLs.
  [/\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,6000}\.[\w-]*/g, '[redacted]'],
  [/(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s:/?#@"]*):[^\s/?#@"]+@/gi, '$1:[redacted]@'],
  // One-time links and other tokens in URLs.
  [/([?&#](?:token|key|secret|password|code)=)[^&\s"#]+/gi, '$1[redacted]'],
  [/(\/(?:setup|invite|reset)\/)[A-Za-z0-9_-]{16,}/g, '$1[redacted]'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [redacted]'],
  [/\b(proofboard\.(?:session_token|session_data)=)[^;\s"]+/g, '$1[redacted]'],
]

/** A replacer for JSON.stringify that redacts secrets by name or pattern, and expands errors. */
export function redactField(key: string, value: unknown): unknown {
  if (SECRET_NAMES.test(key) && value !== null && value !== undefined) return '[redacted]'
  if (typeof value === 'string') return redactMessage(value)
  if (!(value instanceof Error)) return value
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
}

export function redactMessage(text: string): string {
  return SECRET_TEXTS.reduce((redacted, [pattern, stand]) => redacted.replace(pattern, stand), text)
}
