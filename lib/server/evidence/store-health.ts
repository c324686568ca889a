import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { evidenceStore } from './configured-store.ts'

/** A probe writes to the bucket, and the endpoints that ask are public. */
const FRESH_MS = 30_000
/** Callers wait no longer than this; a later answer serves the next caller. */
const WITHIN_MS = 3000
const log = createLog('evidence')

/** `refused`: a person has to change settings or rights; `down`: it may be back in a moment. */
export type StoreState = 'ok' | 'down' | 'refused'

let probed: { at: number; name: string; state: Promise<StoreState> } | undefined

/** Whether the evidence store can be written and read, as it was within the last half minute. */
export async function askStore(now: Date): Promise<StoreState> {
  const { name, kind } = evidenceStore()
  // Whether the disk can be written is asked with the database.
  if (kind === 'disk') return 'ok'
  if (!probed || probed.name !== name || Math.abs(now.getTime() - probed.at) > FRESH_MS)
    probed = { at: now.getTime(), name, state: probe() }
  return Promise.race([probed.state, pause(WITHIN_MS, 'down' as const, { ref: false })])
}

async function probe(): Promise<StoreState> {
  try {
    await evidenceStore().probe()
    return 'ok'
  } catch (error) {
    log.warn('the evidence store does not work', { why: (error as Error).message })
    return error instanceof AppError && error.code !== 'evidence-unavailable' ? 'refused' : 'down'
  }
}
