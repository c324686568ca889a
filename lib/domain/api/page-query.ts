import { z } from 'zod'

const MOST = 500

/** What every list is asked by: how many at most, and behind which place. */
export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST)
    .default(50)
    .meta({ description: 'Maximum number of items.' }),
  cursor: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'The start of the page, taken from `next` of the previous page.' }),
}

/** The address of the next page below this server; null = that was all. */
export const nextSchema = z
  .string()
  .nullable()
  .meta({ description: 'The path of the next page; null = this is the last page.' })
