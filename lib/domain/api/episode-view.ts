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

/** Evidence that retention took off the disk. */
const prunedNoteSchema = z.object({
  path: z.string(),
  prunedAt: instantSchema,
  reason: z.string(),
  bytes: z.number().int().nonnegative(),
})

/** One episode with what its page needs besides the envelope. */
export const episodeViewSchema = z.object({
  episode: anyEpisodeSchema,
  provenance: provenanceSchema,
  /** Visible tests and held-out transcript apart, read from the envelope; null = no solution was graded by tests. */
  grading: gradingSchema.nullable(),
  /** What this server found when it judged the stored solution of an episode that ran elsewhere; null = it ran here. */
  evaluatedHere: evaluationViewSchema.nullable(),
  taskTitle: z.string(),
  /** Every attempt of the same slot, this one included, first attempt first. */
  attempts: z.array(episodeCellSchema),
  /** Unified diff of the workspace, cut at 256 kB; null = none was stored. */
  diff: z.string().nullable(),
  solution: z.array(z.object({ path: z.string(), text: z.string() })),
  /** The agent's calls to its model, as the gateway saw them; null = no gateway was used. */
  calls: z.array(gatewayCallSchema).nullable(),
  /** What a browser library did, action by action; null = no trace was stored. */
  trace: z.array(tracedActionSchema).nullable(),
  /** The filmstrip of a browser episode, frame by frame; null = none was recorded. */
  film: z.array(filmFrameSchema).nullable(),
  /** The state that a browser episode's success criteria were evaluated on, as text; null = not stored. */
  finalState: z.string().nullable(),
  /** Whether the evidence files came along with the envelope. */
  received: z.boolean(),
  /** Why evidence is not in this data folder, without being lost: the end of a sentence; null = it is here. */
  elsewhere: z.string().nullable(),
  /** Evidence that retention took off the disk; `path` as in the evidence list. */
  pruned: z.array(prunedNoteSchema),
  /** Files that were received, were not pruned, and cannot be had from the evidence store; `path` as in the evidence list. */
  evidenceProblems: z.array(z.object({ path: z.string(), problem: z.string() })),
  /** Shell lines that do it again from a clone. */
  reproduce: z.array(z.string()),
})
export type EpisodeView = z.infer<typeof episodeViewSchema>

/** A range of a log: bytes decoded as UTF-8 (broken bytes become U+FFFD), whole lines where possible. */
export const logRangeSchema = z.object({
  text: z.string(),
  offset: z.number().int().nonnegative(),
  /** Where to continue; null = the log ended. */
  nextOffset: z.number().int().nonnegative().nullable(),
  sizeBytes: z.number().int().nonnegative(),
})
export type LogRange = z.infer<typeof logRangeSchema>

const count = z.number().int().nonnegative()

/** A line of a log; of a long one the beginning, and how many bytes were left out. */
const windowLineSchema = z.object({ text: z.string(), restBytes: count })
export type WindowLine = z.infer<typeof windowLineSchema>

/** Some lines of a log, from line `first` on, counted from 0. */
export const logWindowSchema = z.object({
  first: count,
  lines: z.array(windowLineSchema),
  /** How many lines the log has; an estimate until it is exact. */
  total: count,
  isExact: z.boolean(),
  sizeBytes: count,
})
export type LogWindow = z.infer<typeof logWindowSchema>

/** A line that matches a search: its number from 1, and the byte offset of the match. */
const searchHitSchema = z.object({ line: count, offset: count })
export type SearchHit = z.infer<typeof searchHitSchema>

/** Why a search stopped before the end of a log: enough was found, or it took too long. */
const searchPartialSchema = z.enum(['limit', 'time'])
export type SearchPartial = z.infer<typeof searchPartialSchema>

/** A line of the answer of a search: what was found by now, and at last how it ended. */
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
