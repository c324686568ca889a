import { z } from 'zod'
import { provenanceSchema } from '../board/episode-fact.ts'
import { gradingSchema } from '../board/grading-fact.ts'
import { tracedActionSchema } from '../browser/traced-action.ts'
import { episodeSchema } from '../episode.ts'
import { evaluationViewSchema } from '../evaluation/view-evaluation.ts'
import { gatewayCallSchema } from '../gateway-call.ts'
import { prunedNoteSchema } from './pruned-note.ts'
import { episodeCellSchema } from './run-view.ts'

/** One episode with what its page needs beside the envelope. */
export const episodeViewSchema = z.object({
  episode: episodeSchema,
  provenance: provenanceSchema,
  /** Visible tests and held-out transcript apart, read from the envelope; null = no solution was graded by tests. */
  grading: gradingSchema.nullable(),
  /** What this server found when it judged the stored solution of an episode that ran elsewhere; null = it ran here. */
  evaluatedHere: evaluationViewSchema.nullable(),
  taskTitle: z.string(),
  /** Every attempt of the same slot, this one included, first attempt first. */
  attempts: z.array(episodeCellSchema),
  /** Unified diff of the workspace, cut at 256 kB; null = none was kept. */
  diff: z.string().nullable(),
  solution: z.array(z.object({ path: z.string(), text: z.string() })),
  /** The agent's calls to its model, as the gateway saw them; null = nobody stood between. */
  calls: z.array(gatewayCallSchema).nullable(),
  /** What a browser library did, action by action; null = no trace was kept. */
  trace: z.array(tracedActionSchema).nullable(),
  /** What a browser episode's contract was judged by, as text; null = it was not kept. */
  finalState: z.string().nullable(),
  /** Whether the evidence files came along with the envelope. */
  received: z.boolean(),
  /** Evidence that retention took off the disk; `path` as in the evidence list. */
  pruned: z.array(prunedNoteSchema),
  /** Shell lines that do it again from a clone. */
  reproduce: z.array(z.string()),
})
export type EpisodeView = z.infer<typeof episodeViewSchema>

/** A range of a log: bytes decoded as UTF-8 (broken bytes become U+FFFD), whole lines where possible. */
export const logRangeSchema = z.object({
  text: z.string(),
  offset: z.number().int().nonnegative(),
  /** Where to go on; null = the log ended. */
  nextOffset: z.number().int().nonnegative().nullable(),
  sizeBytes: z.number().int().nonnegative(),
})
export type LogRange = z.infer<typeof logRangeSchema>
