import { z } from 'zod'
import { PROTOCOLS } from '../gateway/protocol.ts'

/** The wire formats a model is spoken to in, as a definition names them. */
export const protocolSchema = z.enum(PROTOCOLS)
export type { Protocol } from '../gateway/protocol.ts'
