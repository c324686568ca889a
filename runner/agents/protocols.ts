import { z } from 'zod'

/** The wire formats a model is spoken to in. */
export const protocolSchema = z.enum(['anthropic', 'openai-responses', 'openai-chat', 'gemini'])
export type Protocol = z.infer<typeof protocolSchema>
