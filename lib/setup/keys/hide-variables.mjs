// @ts-check
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

// Where in /proc/self/stat, behind the program's name, the kernel says where the environment begins.
const ENVIRONMENT_START = 47

/**
 * Blots variables out of /proc/<pid>/environ, which keeps what a process was started with even when the variable is
 * deleted, and which every program of the same user can read. Linux only; elsewhere, and where it is refused, nothing.
 * @param {readonly string[]} names no longer in `process.env`
 */
export function hideVariables(names) {
  if (process.platform !== 'linux' || names.length === 0) return
  try {
    const shown = readFileSync('/proc/self/environ')
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ENVIRONMENT_START])
    if (!(start > 0)) return
    const memory = openSync('/proc/self/mem', 'r+')
    try {
      for (const { from, length } of findValues(shown, names))
        writeSync(memory, Buffer.alloc(length, '*'), 0, length, start + from)
    } finally {
      closeSync(memory)
    }
  } catch {
    // The kernel forbids it: what remains readable is said in the documentation.
  }
}

/** @param {Buffer} shown @param {readonly string[]} names */
function findValues(shown, names) {
  const found = []
  for (let from = 0; from < shown.length; ) {
    const end = shown.indexOf(0, from)
    const to = end === -1 ? shown.length : end
    const entry = shown.subarray(from, to).toString('latin1')
    const at = entry.indexOf('=') + 1
    if (at > 0 && names.includes(entry.slice(0, at - 1)))
      found.push({ from: from + at, length: to - from - at })
    from = to + 1
  }
  return found
}
