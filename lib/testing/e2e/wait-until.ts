import { setTimeout as wait } from 'node:timers/promises'

/** Asks again and again until the answer is neither null nor undefined; throws with `what` when time is up. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | null | undefined>,
  { limitMs = 120_000, everyMs = 500 } = {},
): Promise<T> {
  const deadline = Date.now() + limitMs
  while (true) {
    const answer = await ask()
    if (answer !== null && answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`waited ${limitMs / 1000} s in vain for: ${what}`)
    await wait(everyMs)
  }
}
