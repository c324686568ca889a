import { z } from 'zod'

/** Null = not observable: the agent did not use the gateway, or the part has no text of its own. */
const seen = z.boolean().nullable()

/** Use of an arm's content in one episode, as observed by the gateway. */
export const activationSchema = z.object({
  /** The model was shown that a part exists: its description or path, its tools, its text. */
  offered: seen,
  /** The text of a part reached the model, or one of its tools was called. */
  used: seen,
  /** Each part: a file by its path, an MCP server by its name. */
  parts: z
    .array(
      z.object({
        kind: z.enum(['file', 'mcp', 'prefix']),
        name: z.string().max(300),
        offered: seen,
        used: seen,
      }),
    )
    .max(100),
})
export type Activation = z.infer<typeof activationSchema>
type ActivationPart = Activation['parts'][number]

/** Combines parts: true if one is true; unknown is not false. */
export function sumActivation(parts: readonly ActivationPart[]): Activation {
  return {
    offered: anyOf(parts.map(({ offered }) => offered)),
    used: anyOf(parts.map(({ used }) => used)),
    parts: [...parts],
  }
}

function anyOf(values: readonly (boolean | null)[]): boolean | null {
  if (values.includes(true)) return true
  return values.length === 0 || values.includes(null) ? null : false
}
