import { setTimeout as sleep } from 'node:timers/promises'

const MOST_MS = 10_000

/** A wait that the model requested, as a person would; ends early with the episode. */
export async function waitAsAsked(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(MOST_MS, Math.max(0, seconds * 1000)), undefined, { signal })
}
