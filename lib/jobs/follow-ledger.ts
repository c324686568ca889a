import { setTimeout as pause } from 'node:timers/promises'
import { listSuitesBehind } from '#lib/db/board-store.ts'
import { lastBoardEntry } from '#lib/db/ledger-store.ts'
import { createLog } from '#lib/log.ts'
import { HeadSigner } from './sign-heads.ts'
import type { WorkerContext } from './worker-context.ts'

const LOOK_MS = 1000
const log = createLog('ledger')

type Follower = Pick<WorkerContext, 'db' | 'boards' | 'signal'>

/**
 * Makes the boards follow corrections that another process wrote, until `signal`: each snapshot says which ledger entry
 * it obeys, so a missed look or a failed computation is made up for at the next one. Signs each new head of the ledger.
 */
export async function followLedger({ db, boards, signal }: Follower): Promise<void> {
  const heads = new HeadSigner(db)
  while (!signal.aborted) {
    await heads.sign().catch((error: unknown) => log.warn('the head was not signed', { error }))
    try {
      const behind = await listSuitesBehind(db, await lastBoardEntry(db))
      for (const suiteId of behind) boards.request(suiteId)
    } catch (error) {
      log.warn('the ledger could not be looked at', { error })
    }
    await pause(LOOK_MS, undefined, { signal }).catch(() => {})
  }
}
