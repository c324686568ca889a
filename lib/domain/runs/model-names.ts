import { z } from 'zod'
import { isModel, type Subject } from '../record/index.ts'

const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,199}$/
const name = z
  .string()
  .regex(MODEL_NAME, 'expected the name of a model: letters, digits and . _ : @ + / -')

const ONE_OR_MORE = 'expected the name of a model, or a list of such names'
const others = z.union([name, z.array(name).min(1, ONE_OR_MORE).max(20)], ONE_OR_MORE)

/** Names of models in the files of providers and agents. */
export const modelNamesSchema = z.object({
  /** A model's name in plans, mapped to its other names: a deployment, or names in a router or cloud. */
  aliases: z.record(name, others).optional(),
  /** Helper models that may be used beside any pinned one: for titles, summaries, subagents. */
  secondary: z.array(name).max(20).optional(),
})
export type ModelNames = z.infer<typeof modelNamesSchema>

/** Returns what a plan freezes from these files for one model: its other names, and its helpers. */
export function declaredNames(
  model: string,
  files: readonly ModelNames[],
): Pick<Subject, 'aliases' | 'secondary'> {
  const groups = files.flatMap(({ aliases = {} }) =>
    Object.entries(aliases).map(([key, others]) => [key, others].flat()),
  )
  const own = groups.filter((group) => group.some((one) => isModel(one, model)))
  const aliases = sorted(own.flat().filter((one) => one !== model))
  const secondary = sorted(files.flatMap((file) => file.secondary ?? []))
  return {
    ...(aliases.length > 0 && { aliases }),
    ...(secondary.length > 0 && { secondary }),
  }
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}
