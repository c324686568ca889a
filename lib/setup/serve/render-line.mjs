// @ts-check

const QUIET = new Set(['at', 'level', 'room', 'message', 'workerId', 'stack'])
const WIDEST = 240

/**
 * What a child said, for a person: its JSON log lines as `room  message  key=value`, anything else as it is.
 * @param {string} who
 * @param {string} line
 */
export function renderLine(who, line) {
  const entry = parseEntry(line)
  if (entry === null) return `  ${who.padEnd(7)} ${line}`
  const { level, message } = entry
  const fields = Object.entries(entry)
    .filter(([key, value]) => !QUIET.has(key) && value !== null && value !== undefined)
    .map(([key, value]) => `${key}=${renderValue(value)}`)
  const alarm = level === 'warn' || level === 'error' ? `${level}: ` : ''
  return [`  ${who.padEnd(7)} ${alarm}${message}`, ...fields].join('  ')
}

/** @param {string} line @returns {Record<string, unknown> | null} */
function parseEntry(line) {
  if (!line.startsWith('{')) return null
  try {
    const entry = JSON.parse(line)
    return typeof entry.message === 'string' && typeof entry.level === 'string' ? entry : null
  } catch {
    return null
  }
}

/** @param {unknown} value */
function renderValue(value) {
  if (typeof value === 'string') return value.slice(0, WIDEST)
  const message = Reflect.get(Object(value), 'message')
  return (typeof message === 'string' ? message : JSON.stringify(value)).slice(0, WIDEST)
}
