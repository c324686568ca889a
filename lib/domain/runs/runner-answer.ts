import { z } from 'zod'
import { planSchema } from '../record/index.ts'

/** Why the runner refuses a request, and the option to change, as `--fault`; null = none in particular. */
const optionRefusalSchema = z.object({ option: z.string().nullable(), message: z.string() })
export type OptionRefusal = z.infer<typeof optionRefusalSchema>

/** What a refused command answers under `--json`, as the last line of its stdout. */
export const refusalAnswerSchema = z.object({ refusals: z.array(optionRefusalSchema).min(1) })

/** The same from one message and the options it is about. */
export function refusalAnswer(
  message: string,
  options: readonly string[] = [],
): z.infer<typeof refusalAnswerSchema> {
  const about = options.length > 0 ? options : [null]
  return { refusals: about.map((option) => ({ option, message })) }
}

/** What `proofboard plan --json` answers. */
export const planAnswerSchema = z.object({
  plan: planSchema,
  /** The level it will run at and why; null = the subject starts no program that needs a sandbox. */
  isolation: z.string().nullable(),
  warnings: z.array(z.string()),
})
export type PlanAnswer = z.infer<typeof planAnswerSchema>
