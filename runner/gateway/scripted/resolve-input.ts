import { z } from 'zod'

/** `{ "$match": "button \"Save\".*?\\[ref=(\\w+)\\]" }`: what a script cannot know beforehand. */
const lookupSchema = z.strictObject({ $match: z.string().min(1).max(1000) })

/**
 * The input of a scripted call: a lookup in it becomes the first group of its last match in what the request holds, as
 * a model would copy a reference out of a tool's result. Throws, in one sentence, when nothing fits.
 */
export function resolveInput(input: unknown, request: unknown): unknown {
  const lookup = lookupSchema.safeParse(input)
  if (lookup.success) return lastMatch(lookup.data.$match, request)
  if (Array.isArray(input)) return input.map((one) => resolveInput(one, request))
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, resolveInput(value, request)]),
  )
}

function lastMatch(pattern: string, request: unknown): string {
  const found = [...textsOf(request)].flatMap((text) => [
    ...text.matchAll(new RegExp(pattern, 'g')),
  ])
  const last = found.at(-1)
  if (last === undefined) throw new Error(`nothing in the conversation fits ${pattern}`)
  return last[1] ?? last[0]
}

/** Every string of a request, in its order; tool results stand behind the calls that asked for them. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const one of value) yield* textsOf(one)
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) yield* textsOf(one)
}
