import { z } from 'zod'

/** The body of every error: RFC 9457, with a stable `code` for programs. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string().meta({ description: 'The status in words.' }),
    status: z.number().int(),
    detail: z.string().meta({ description: 'What happened and what to do, in one sentence.' }),
    code: z.string().meta({ description: 'A stable error code for programs.' }),
    requestId: z
      .string()
      .optional()
      .meta({ description: 'The id of this request in the server log.' }),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Validation errors of the body, each with its path.' }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .meta({ description: 'The same code and message, for older clients.' }),
  })
  .meta({ description: 'An error.' })
