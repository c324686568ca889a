import { z } from 'zod'
import { episodeBodySchema } from '../episode.ts'
import { isScored } from '../outcome.ts'
import type { Subject } from '../subject.ts'
import type { usageSchema } from '../usage.ts'

/** What a scored episode took: all that a quote needs to know of the past. */
export type PastEpisode = {
  taskId: string
  subject: Pick<Subject, 'name' | 'provider' | 'modelRequested'>
  subjectMs: number
  usage: z.infer<typeof usageSchema> | null
}

const pastSchema = z.object({
  taskId: episodeBodySchema.shape.taskId,
  subject: z.object({
    name: z.string(),
    provider: z.string().nullable(),
    modelRequested: z.string().nullable(),
  }),
  outcome: episodeBodySchema.shape.outcome,
  usage: episodeBodySchema.shape.usage,
  effort: z.object({ wall: z.object({ subjectMs: z.number().nonnegative() }) }),
})

/** The figures of an envelope; null for one that was not scored or cannot be read. */
export function pastEpisode(envelope: unknown): PastEpisode | null {
  const parsed = pastSchema.safeParse(envelope)
  if (!parsed.success || !isScored(parsed.data.outcome.status)) return null
  const { taskId, subject, usage, effort } = parsed.data
  return { taskId, subject, usage, subjectMs: effort.wall.subjectMs }
}
