import type { Db } from '#lib/db/database.ts'
import type { BoardRefresher } from './refresh-boards.ts'

/** What one worker's parts share. `signal` fires when the worker has to end. */
export type WorkerContext = {
  db: Db
  workerId: string
  signal: AbortSignal
  boards: BoardRefresher
}
