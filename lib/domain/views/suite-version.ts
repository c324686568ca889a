import type { Digest } from '../digest.ts'

/** One version of a suite that has a board. */
export type SuiteVersion = { digest: Digest; tasks: number; rows: number; isCurrent: boolean }
