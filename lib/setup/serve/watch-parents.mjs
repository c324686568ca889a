// @ts-check
import { readFileSync } from 'node:fs'

const LOOK_MS = 500

/**
 * Calls `onGone` once when the process that started this one has ended. npm starts a shell in between, passes no signal
 * through it and may be killed itself: below npm (or a similar program) it is watched too. Returns a function that
 * stops watching.
 * @param {() => void} onGone
 * @returns {() => void}
 */
export function watchParents(onGone) {
  const parent = process.ppid
  const above = process.env.npm_lifecycle_event === undefined ? null : parentOf(parent)
  const isGone = () => process.ppid !== parent || (above !== null && parentOf(parent) !== above)
  const timer = setInterval(() => {
    if (!isGone()) return
    clearInterval(timer)
    onGone()
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Returns the parent of another process on Linux; null where it is not available, as on macOS.
 * @param {number} pid
 * @returns {number | null}
 */
function parentOf(pid) {
  try {
    // "1234 (a name) S 1 …": the name may contain anything, including brackets.
    const [, parent] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return Number(parent)
  } catch {
    return null
  }
}
