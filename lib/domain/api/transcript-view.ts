import { z } from 'zod'
import {
  type ScannerName,
  scanFindingSchema,
  transcriptEndSchema,
  transcriptHeadSchema,
  transcriptStepSchema,
} from '../transcript/index.ts'

const count = z.number().int().nonnegative()

/** Some steps of a transcript, and where to continue. */
export const transcriptViewSchema = z.object({
  head: transcriptHeadSchema,
  /** Null = the runner was killed before the end. */
  end: transcriptEndSchema.nullable(),
  /** What scanners noticed, for people to look at; nothing is scored by it. */
  findings: z.array(scanFindingSchema),
  /** How many steps are stored. */
  total: count,
  steps: z.array(transcriptStepSchema),
  /** The step to continue with; null = these were the last. */
  next: count.nullable(),
  /** Steps that hold the search text, up to 1000; null = nothing was searched. */
  hits: z.array(count).nullable(),
})
export type TranscriptView = z.infer<typeof transcriptViewSchema>

/** In how many of an agent's transcripts each scanner noticed something; `latest` is an episode of them. */
export type ScanCounts = {
  scanned: number
  counts: { scanner: ScannerName; episodes: number; latest: string }[]
}
