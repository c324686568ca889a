import { z } from 'zod'
import { evidenceFileSchema } from '../../episode.ts'

export const suiteParameter = z
  .string()
  .min(1)
  .max(80)
  .optional()
  .meta({ description: 'A suite id.' })

/** Which of an episode's evidence files is meant. */
export const roleParameter = evidenceFileSchema.shape.role
  .default('subject-log')
  .meta({ description: 'The evidence file.' })

export const runId = z.string().meta({ description: 'A run id, `run_…`.' })
export const episodeId = z.string().meta({ description: 'An episode id, `ep_…`.' })
export const rowId = z.string().meta({ description: 'A row id from the leaderboard.' })
export const planDigest = z.string().meta({ description: 'A plan digest, `sha256:…`.' })
