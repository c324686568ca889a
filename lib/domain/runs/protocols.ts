import { z } from 'zod'

/** The four wire protocols that coding agents speak; each is passed through, none is translated. */
export const PROTOCOLS = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const

export const protocolSchema = z.enum(PROTOCOLS)
export type Protocol = z.infer<typeof protocolSchema>
