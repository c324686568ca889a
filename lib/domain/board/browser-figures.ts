import { z } from 'zod'
import { type Rung, rungSchema } from '../browser/browser-record.ts'

const count = z.number().int().nonnegative()
const known = z.number().nonnegative().nullable()
const spread = z.object({ p50: known, p95: known })

/** How often each rung of the ladder was the one after which the work went on. */
export const rungCountsSchema = z.record(rungSchema, count)
export type RungCounts = Record<Rung, number>

/** What a row says of its browser episodes beside success; all of it diagnostic. Null = not known, never 0. */
export const browserFiguresSchema = z.object({
  /** Scored episodes with a browser: what all these figures are counted over. */
  episodes: count,
  connectMs: spread,
  /** Time that is neither the library's nor the app's, median. */
  harnessMs: known,
  /** What the library gave back to whoever drives it: mean over the solved episodes, known of each. */
  resultTokensPerSolved: known,
  resultBytesPerSolved: known,
  /** Of the whole process tree and of the library's part: median of the episodes' peaks. */
  peakPssBytes: known,
  libraryPeakPssBytes: known,
  /** The library came to its end without an error, and the contract failed. */
  falseSuccess: count,
  /** The library's part ended with an error, and the contract passed. */
  successWithError: count,
  rungs: rungCountsSchema,
  /** From a fault's firing to the library's first error, over the episodes where one was seen. */
  detectMs: spread.extend({ episodes: count }),
})
export type BrowserFigures = z.infer<typeof browserFiguresSchema>

/** A task's part of it, in a row that was measured under faults. */
export const taskRecoverySchema = z.object({ rungs: rungCountsSchema, detectMs: known })
export type TaskRecovery = z.infer<typeof taskRecoverySchema>
