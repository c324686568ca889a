import { z } from 'zod'
import { planSchema } from '../record/index.ts'

/** The runner's reason for refusing a request, and the option to change, such as `--fault`; null = no single option. */
const optionRefusalSchema = z.object({ option: z.string().nullable(), message: z.string() })
export type OptionRefusal = z.infer<typeof optionRefusalSchema>

/** Output of a refused command under `--json`, as the last line of stdout. */
export const refusalAnswerSchema = z.object({ refusals: z.array(optionRefusalSchema).min(1) })

/** Builds it from one message and the options it concerns. */
export function refusalAnswer(
  message: string,
  options: readonly string[] = [],
): z.infer<typeof refusalAnswerSchema> {
  const about = options.length > 0 ? options : [null]
  return { refusals: about.map((option) => ({ option, message })) }
}

/** Output of `proofboard plan --json`. */
export const planAnswerSchema = z.object({
  plan: planSchema,
  /** Isolation level of the run, with its reason; null = the subject starts no program that needs a sandbox. */
  isolation: z.string().nullable(),
  warnings: z.array(z.string()),
})
export type PlanAnswer = z.infer<typeof planAnswerSchema>
