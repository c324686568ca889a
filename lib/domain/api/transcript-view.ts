import { z } from 'zod'
import {
  behaviourResultSchema,
  type ScannerName,
  scanFindingSchema,
  transcriptEndSchema,
  transcriptHeadSchema,
  transcriptStepSchema,
} from '../transcript/index.ts'

const count = z.number().int().nonnegative()

/** Some steps of a transcript, and the step to continue with. */
export const transcriptViewSchema = z.object({
  head: transcriptHeadSchema,
  /** Null = the runner was killed before the end. */
  end: transcriptEndSchema.nullable(),
  /** Findings of scanners, for people to review; they do not affect scores. */
  findings: z.array(scanFindingSchema),
  /** Expected behaviours of the task, as the transcript shows them; absent = it expects none. */
  behaviour: z.array(behaviourResultSchema).optional(),
  /** Number of stored steps. */
  total: count,
  steps: z.array(transcriptStepSchema),
  /** The step to continue with; null = no more steps. */
  next: count.nullable(),
  /** Steps that contain the search text, up to 1000; null = no search. */
  hits: z.array(count).nullable(),
})
export type TranscriptView = z.infer<typeof transcriptViewSchema>

/** For each scanner, the number of an agent's transcripts with a finding; `latest` is one of those episodes. */
export type ScanCounts = {
  scanned: number
  counts: { scanner: ScannerName; episodes: number; latest: string }[]
}
