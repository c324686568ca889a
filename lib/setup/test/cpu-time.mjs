// @ts-check
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second, whatever its kernel's clock is. */
const MS_PER_TICK = 10

/** Milliseconds for which processors worked for a process itself, and for those of its children that have ended. */
/** @typedef {{ parent: number, own: number, ended: number }} ProcessTimes */

/** @param {number | 'self'} pid @returns {ProcessTimes | null} null = it is gone, or not Linux */
function readTimes(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in brackets, may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (/** @type {number} */ place) => Number(fields[place]) * MS_PER_TICK
    return { parent: Number(fields[1]), own: ticks(11) + ticks(12), ended: ticks(13) + ticks(14) }
  } catch {
    return null
  }
}

/**
 * For how long processors worked for this process and all below it, running or ended. What outlived its parent is no
 * longer below it. Null except on Linux.
 * @returns {number | null} milliseconds
 */
export function treeCpuMs() {
  if (readTimes('self') === null) return null
  const processes = readdirSync('/proc').flatMap((name) => {
    const times = /^\d+$/.test(name) ? readTimes(Number(name)) : null
    return times === null ? [] : [{ pid: Number(name), ...times }]
  })
  return sumBelow(
    processes,
    processes.filter(({ pid }) => pid === process.pid),
  )
}

/** @typedef {ProcessTimes & { pid: number }} Process */

/** @param {Process[]} all @param {Process[]} some @returns {number} their time, with that of all below them */
function sumBelow(all, some) {
  return some.reduce((total, { pid, own, ended }) => {
    const children = all.filter(({ parent }) => parent === pid)
    return total + own + ended + sumBelow(all, children)
  }, 0)
}

let counted = readTimes('self')?.ended ?? 0

/**
 * For how long processors worked for commands that ended since this was last called. Null except on Linux.
 * @returns {number | null} milliseconds
 */
export function endedCpuMs() {
  const times = readTimes('self')
  if (times === null) return null
  const before = counted
  counted = times.ended
  return times.ended - before
}
