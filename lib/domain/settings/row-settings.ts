import type { z } from 'zod'
import { settingsSchema } from './settings.ts'

/** The known settings of a row: another program may not report all of its own. Null = not reported. */
export const rowSettingsSchema = settingsSchema.extend({
  timeoutMs: settingsSchema.shape.timeoutMs.nullable(),
  isolation: settingsSchema.shape.isolation.nullable(),
  diskQuotaBytes: settingsSchema.shape.diskQuotaBytes.nullable(),
  maxAttempts: settingsSchema.shape.maxAttempts.nullable(),
  seed: settingsSchema.shape.seed.nullable(),
})
export type RowSettings = z.infer<typeof rowSettingsSchema>
