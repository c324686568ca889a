// @ts-check
const REDRAW_MS = 250
const HEARTBEAT_MS = 30_000

/** Running ones, outermost first: only the innermost prints. @type {symbol[]} */
const open = []

/** @typedef {{ note: (text: string) => void, stop: () => void }} Progress */

/**
 * Shows that work continues: one redrawn line on a terminal, an occasional line elsewhere. Prints to stderr, because
 * stdout is for results.
 * @param {string} label
 * @param {NodeJS.WriteStream} [stream]
 * @returns {Progress}
 */
export function showProgress(label, stream = process.stderr) {
  const startedAt = performance.now()
  const self = Symbol(label)
  open.push(self)
  let note = ''
  const text = () => {
    const head = `  ${label} … ${formatElapsed(performance.now() - startedAt)}`
    return note === '' ? head : `${head}  ${note}`
  }
  const draw = stream.isTTY
    ? () => stream.write(`\r\u001b[2K${text().slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`)
    : () => stream.write(`${text()}\n`)
  const timer = setInterval(
    () => open.at(-1) === self && draw(),
    stream.isTTY ? REDRAW_MS : HEARTBEAT_MS,
  )
  timer.unref()
  return {
    note(latest) {
      note = latest
    },
    stop() {
      clearInterval(timer)
      open.splice(open.indexOf(self), 1)
      if (stream.isTTY) stream.write('\r\u001b[2K')
    },
  }
}

/**
 * Runs one step of the set-up and prints how long it took, or that there was nothing to do.
 * @param {string} label
 * @param {() => Promise<boolean>} work whether anything was done
 * @param {(line: string) => void} say
 */
export async function timeStep(label, work, say) {
  const startedAt = performance.now()
  const did = await work()
  say(`  ${label.padEnd(18)} ${did ? formatElapsed(performance.now() - startedAt) : 'up to date'}`)
}

/** Formats `0.4 s`, `12 s`, `2 min 05 s`. @param {number} durationMs */
export function formatElapsed(durationMs) {
  const seconds = durationMs / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}

/** A failed step of the set-up. The message is for a person: what failed, then what to do. */
export class SetupFailure extends Error {
  /**
   * @param {string} message
   * @param {string} [output] the last lines of the command that failed
   */
  constructor(message, output = '') {
    super(message)
    this.name = 'SetupFailure'
    this.output = output
  }
}

/**
 * Prints a set-up failure and returns the exit code; throws anything else.
 * @param {unknown} error
 * @returns {number}
 */
export function reportFailure(error) {
  if (!(error instanceof SetupFailure)) throw error
  for (const text of [error.output, error.message])
    if (text !== '') process.stderr.write(`${text}\n`)
  return 1
}

const MIN_NODE = [20, 19]

/**
 * Returns null when this version of node is supported, else a one-line message.
 * @param {string} version as in `process.versions.node`
 * @returns {string | null}
 */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor = 0, minMinor = 0] = MIN_NODE
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return null
  return `Proofboard needs node ${MIN_NODE.join('.')} or newer; this is ${version}. See https://nodejs.org`
}
