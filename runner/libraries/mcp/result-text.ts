import { z } from 'zod'

const contentSchema = z.array(
  z.looseObject({
    type: z.string(),
    text: z.string().optional(),
    uri: z.string().optional(),
    resource: z.looseObject({ uri: z.string().optional(), text: z.string().optional() }).optional(),
  }),
)

/** A tool's result as text alone: pictures and sounds become a line that says that they were left out. */
export function resultText(content: unknown): string {
  const parsed = contentSchema.safeParse(content)
  if (!parsed.success) return '[a result that is no MCP content]'
  return parsed.data
    .map(({ type, text, uri, resource }) => {
      if (type === 'text') return text ?? ''
      if (resource?.text !== undefined) return resource.text
      const where = uri ?? resource?.uri
      return where === undefined ? `[${type} left out: text only]` : `[${type}: ${where}]`
    })
    .join('\n')
}
