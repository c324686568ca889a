// @ts-check
import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 150
const ANSWER_MS = 5000

/**
 * Asks `/api/v1/health` until it answers 200. Answers false after `limitMs`, or when `signal` fires.
 * @param {string} url
 * @param {{ limitMs: number, signal: AbortSignal }} options
 * @returns {Promise<boolean>}
 */
export async function waitForHealth(url, { limitMs, signal }) {
  const deadline = performance.now() + limitMs
  while (performance.now() < deadline && !signal.aborted) {
    try {
      const answer = await fetch(`${url}/api/v1/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
      await answer.arrayBuffer()
      if (answer.ok) return true
    } catch {
      // Not listening yet.
    }
    await wait(POLL_MS, undefined, { signal }).catch(() => {})
  }
  return false
}
