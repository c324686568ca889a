import { z } from 'zod'
import { evidenceFileSchema } from '../../episode.ts'

export const suiteParameter = z
  .string()
  .min(1)
  .max(80)
  .optional()
  .meta({ description: 'A suite’s id.' })

/** Which of an episode's evidence files is meant. */
export const roleParameter = evidenceFileSchema.shape.role
  .default('subject-log')
  .meta({ description: 'Which evidence file.' })

export const runId = z.string().meta({ description: 'A run’s id, `run_…`.' })
export const episodeId = z.string().meta({ description: 'An episode’s id, `ep_…`.' })
export const rowId = z.string().meta({ description: 'A row’s id, as the leaderboard gives it.' })
export const planDigest = z.string().meta({ description: 'A plan’s digest, `sha256:…`.' })
