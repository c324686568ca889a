import { setImmediate } from 'node:timers/promises'

const MAX_BLOCKED_MS = 10

/**
 * Returns a function to await between pieces of synchronous work, which lets everything else in this process run now and
 * then. For thousands of small files, synchronous calls take a fraction of the time of asynchronous ones, most of all on
 * a busy machine.
 */
export function takeBreaks(): () => Promise<void> | undefined {
  let until = performance.now() + MAX_BLOCKED_MS
  const rest = async () => {
    await setImmediate()
    until = performance.now() + MAX_BLOCKED_MS
  }
  return () => (performance.now() < until ? undefined : rest())
}
