import { z } from 'zod'

/** One thing a detector saw that no honest solution does; `code` is stable, `detail` is for people. */
export const tamperFindingSchema = z.object({
  code: z.string().max(80),
  detail: z.string().max(2000),
})
export type TamperFinding = z.infer<typeof tamperFindingSchema>
