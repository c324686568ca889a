import { z } from 'zod'
import { digestSchema } from '#lib/domain/digest.ts'
import { instantSchema } from '#lib/domain/names.ts'
import { PROTOCOLS } from '../protocol.ts'

const count = z.number().int().nonnegative()

export const recordedCallSchema = z.object({
  /** Digest of the request without what changes from run to run; see request-key.ts. */
  key: digestSchema,
  protocol: z.enum(PROTOCOLS),
  path: z.string(),
  /**
   * The request body, redacted: conversations grow at one place, so a call keeps what differs from the call before it:
   * so many characters from its start, `text`, so many characters from its end.
   */
  request: z.object({ sharedStart: count, text: z.string(), sharedEnd: count }),
  status: z.number().int().min(100).max(599),
  headers: z.record(z.string(), z.string()),
  /** The answer, decoded and redacted; base64 when it is not UTF-8. */
  body: z.object({ encoding: z.enum(['utf8', 'base64']), data: z.string() }),
  /** [milliseconds after the request, bytes] of each piece as it came. */
  pieces: z.array(z.tuple([z.number().nonnegative(), count])),
  /** False when the answer broke off. */
  whole: z.boolean(),
})
export type RecordedCall = z.infer<typeof recordedCallSchema>

export const recordingSchema = z.object({
  manifest: z.object({
    format: z.literal('proofboard-recording'),
    version: z.literal(1),
    provider: z.string(),
    models: z.array(z.string()),
    agent: z.object({ name: z.string(), version: z.string().nullable() }),
    recordedAt: instantSchema,
    redaction: z.object({
      status: z.literal('redacted'),
      /** Kinds of secrets that were looked for, and how many were taken out. */
      rules: count,
      replaced: count,
    }),
    callCount: count,
    /** Of everything else in this file. */
    digest: digestSchema,
  }),
  calls: z.array(recordedCallSchema),
})
export type Recording = z.infer<typeof recordingSchema>
