import { setTimeout as sleep } from 'node:timers/promises'

const MAX_MS = 10_000

/** Waits as requested by the model; ends early with the episode. */
export async function waitAsAsked(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(MAX_MS, Math.max(0, seconds * 1000)), undefined, { signal })
}
