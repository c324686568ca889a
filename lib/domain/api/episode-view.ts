import { z } from 'zod'
import { evaluationViewSchema } from '../eligibility/index.ts'
import {
  anyEpisodeSchema,
  filmFrameSchema,
  gatewayCallSchema,
  gradingSchema,
  instantSchema,
  provenanceSchema,
  tracedActionSchema,
} from '../record/index.ts'
import { episodeCellSchema } from './run-view.ts'

/** Evidence that retention deleted. */
const prunedNoteSchema = z.object({
  path: z.string(),
  prunedAt: instantSchema,
  reason: z.string(),
  bytes: z.number().int().nonnegative(),
})

/** One episode with everything that its page shows besides the envelope. */
export const episodeViewSchema = z.object({
  episode: anyEpisodeSchema,
  provenance: provenanceSchema,
  /**
   * Visible tests and held-out transcript, counted apart, read from the envelope; null = no solution was graded by
   * tests.
   */
  grading: gradingSchema.nullable(),
  /** This server's own evaluation of the stored solution, for an episode that ran elsewhere; null = it ran here. */
  evaluatedHere: evaluationViewSchema.nullable(),
  taskTitle: z.string(),
  /** Every attempt of the same slot, this one included, first attempt first. */
  attempts: z.array(episodeCellSchema),
  /** Unified diff of the workspace, cut at 256 kB; null = not stored. */
  diff: z.string().nullable(),
  solution: z.array(z.object({ path: z.string(), text: z.string() })),
  /** The agent's calls to its model, as recorded by the gateway; null = no gateway was used. */
  calls: z.array(gatewayCallSchema).nullable(),
  /** Actions of a browser library; null = no trace was stored. */
  trace: z.array(tracedActionSchema).nullable(),
  /** Frames of a browser episode's filmstrip; null = none was recorded. */
  film: z.array(filmFrameSchema).nullable(),
  /** The final state that a browser episode's success criteria were evaluated on, as text; null = not stored. */
  finalState: z.string().nullable(),
  /** True if the evidence files were received with the envelope. */
  received: z.boolean(),
  /** Reason why evidence is stored elsewhere, as the end of a sentence; null = it is in this data folder. */
  elsewhere: z.string().nullable(),
  /** Evidence that retention deleted; `path` as in the evidence list. */
  pruned: z.array(prunedNoteSchema),
  /**
   * Files that were received and not pruned, but that the evidence store cannot return; `path` as in the evidence list.
   */
  evidenceProblems: z.array(z.object({ path: z.string(), problem: z.string() })),
  /** Shell lines that reproduce the episode from a clone. */
  reproduce: z.array(z.string()),
})
export type EpisodeView = z.infer<typeof episodeViewSchema>

/** A range of a log: bytes decoded as UTF-8 (broken bytes become U+FFFD), whole lines where possible. */
export const logRangeSchema = z.object({
  text: z.string(),
  offset: z.number().int().nonnegative(),
  /** Offset to continue at; null = the log ended. */
  nextOffset: z.number().int().nonnegative().nullable(),
  sizeBytes: z.number().int().nonnegative(),
})
export type LogRange = z.infer<typeof logRangeSchema>

const count = z.number().int().nonnegative()

/** A line of a log; long lines are cut, `restBytes` = bytes left out. */
const windowLineSchema = z.object({ text: z.string(), restBytes: count })
export type WindowLine = z.infer<typeof windowLineSchema>

/** Lines of a log from line `first`, counted from 0. */
export const logWindowSchema = z.object({
  first: count,
  lines: z.array(windowLineSchema),
  /** Number of lines in the log; an estimate until it is exact. */
  total: count,
  isExact: z.boolean(),
  sizeBytes: count,
})
export type LogWindow = z.infer<typeof logWindowSchema>

/** A line that matches a search: its number from 1, and the byte offset of the match. */
const searchHitSchema = z.object({ line: count, offset: count })
export type SearchHit = z.infer<typeof searchHitSchema>

/** Reason why a search stopped before the end of a log: enough hits, or out of time. */
const searchPartialSchema = z.enum(['limit', 'time'])
export type SearchPartial = z.infer<typeof searchPartialSchema>

/** One line of a search response: hits so far, and finally how the search ended. */
export const searchPartSchema = z.union([
  z.object({ hits: z.array(searchHitSchema), scannedBytes: count }),
  z.object({
    partial: searchPartialSchema.nullable(),
    nextLine: count.nullable(),
    scannedBytes: count,
  }),
])
export type SearchPart = z.infer<typeof searchPartSchema>
export type PrunedNote = z.infer<typeof prunedNoteSchema>

/** `pruned on 2026-11-21 because it was older than 30 days`. */
export function formatPruned({
  prunedAt,
  reason,
}: Pick<PrunedNote, 'prunedAt' | 'reason'>): string {
  return `pruned on ${prunedAt.slice(0, 10)} because ${reason}`
}
