import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { seededGenerator } from '../../../domain/statistics/seeded-generator.ts'

const MIN_PAUSE_MS = 6000
const MAX_PAUSE_MS = 15_000
/** Longer than a lease at its end, so that other workers take over the jobs of a container. */
const MAX_AWAY_MS = 45_000

/**
 * Kills containers with all their processes, one after the other, and starts each again after a while, until `signal`.
 * The choice is drawn from the seed. Returns the number of kills once all run.
 */
export async function strikeContainers(
  ids: readonly string[],
  { seed, signal }: { seed: number; signal: AbortSignal },
): Promise<number> {
  const chance = seededGenerator(seed)
  const away = new Map<string, Promise<void>>()
  let kills = 0
  while (!signal.aborted) {
    await sleep(MIN_PAUSE_MS + chance.nextBelow(MAX_PAUSE_MS - MIN_PAUSE_MS), signal)
    const there = ids.filter((id) => !away.has(id))
    // One of them always works.
    if (signal.aborted || there.length < 2) continue
    const id = there[chance.nextBelow(there.length)] ?? ''
    await kill(id)
    kills += 1
    const back = sleep(chance.nextBelow(MAX_AWAY_MS), signal).then(async () => {
      await docker('start', id)
      away.delete(id)
    })
    away.set(id, back)
  }
  await Promise.all(away.values())
  return kills
}

/** On a busy machine docker gives up before it hears of the end, which comes all the same. */
async function kill(id: string): Promise<void> {
  await docker('kill', id).catch(() => {})
  await docker('wait', id)
}

async function docker(...args: string[]): Promise<void> {
  await promisify(execFile)('docker', args, { timeout: 120_000 })
}

const sleep = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => {})
