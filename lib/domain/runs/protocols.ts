import { z } from 'zod'

/** The four wire protocols that coding agents use; each is passed through without translation. */
export const PROTOCOLS = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const

export const protocolSchema = z.enum(PROTOCOLS)
export type Protocol = z.infer<typeof protocolSchema>
