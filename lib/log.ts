import { env, type LogLevel } from './env.ts'

const ORDER: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

type Fields = Readonly<Record<string, unknown>>

/** One room's voice: each call writes one JSON line to stderr, or nothing below the level that was asked for. */
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string, fields?: Fields) => void>

export function createLog(room: string): Log {
  const write = (level: LogLevel) => (message: string, fields?: Fields) => {
    if (ORDER[level] < ORDER[wantedLevel()]) return
    const line = { at: new Date().toISOString(), level, room, message, ...fields }
    process.stderr.write(`${JSON.stringify(line, plainErrors)}\n`)
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/** An environment that cannot be read is itself something to tell about. */
function wantedLevel(): LogLevel {
  try {
    return env().logLevel
  } catch {
    return 'info'
  }
}

/** JSON shows an error as {}: show what it says and where it came from. */
function plainErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
}
