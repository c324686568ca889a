// @ts-check
import { formatSeconds } from '../format-seconds.mjs'

const REDRAW_MS = 250
const HEARTBEAT_MS = 30_000

/** Those at work now, outermost first: only the innermost speaks. @type {symbol[]} */
const open = []

/** @typedef {{ note: (text: string) => void, stop: () => void }} Progress */

/**
 * Says that something is still going on: one redrawn line on a terminal, a line now and then elsewhere. On stderr, so
 * that stdout stays what the command answers.
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
    const head = `  ${label} … ${formatSeconds(performance.now() - startedAt)}`
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
