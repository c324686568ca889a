import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { digestJson, digestSchema } from '#lib/domain/digest/index.ts'
import { instantSchema } from '#lib/domain/record/index.ts'
import { PROTOCOLS } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import type { UpstreamAnswer } from './http.ts'
import { requestKey } from './request-key.ts'

const count = z.number().int().nonnegative()

const recordedCallSchema = z.object({
  /** Digest of the request without parts that change from run to run; see request-key.ts. */
  key: digestSchema,
  protocol: z.enum(PROTOCOLS),
  path: z.string(),
  /**
   * The redacted request body. Conversations grow at one place, so a call stores its difference from the call before
   * it: characters shared at the start, `text`, characters shared at the end.
   */
  request: z.object({ sharedStart: count, text: z.string(), sharedEnd: count }),
  status: z.number().int().min(100).max(599),
  headers: z.record(z.string(), z.string()),
  /** The response, decoded and redacted; base64 if it is not UTF-8. */
  body: z.object({ encoding: z.enum(['utf8', 'base64']), data: z.string() }),
  /** [milliseconds after the request, bytes] of each piece as it arrived. */
  pieces: z.array(z.tuple([z.number().nonnegative(), count])),
  /** False if the response broke off. */
  whole: z.boolean(),
})
export type RecordedCall = z.infer<typeof recordedCallSchema>

const recordingSchema = z.object({
  manifest: z.object({
    format: z.literal('proofboard-recording'),
    version: z.literal(1),
    provider: z.string(),
    models: z.array(z.string()),
    agent: z.object({ name: z.string(), version: z.string().nullable() }),
    recordedAt: instantSchema,
    redaction: z.object({
      status: z.literal('redacted'),
      /** Number of kinds of secrets that were searched, and of removed secrets. */
      rules: count,
      replaced: count,
    }),
    callCount: count,
    /** Covers everything else in this file. */
    digest: digestSchema,
  }),
  calls: z.array(recordedCallSchema),
})
export type Recording = z.infer<typeof recordingSchema>

type ParsedRecording = { ok: true; value: Recording } | { ok: false; problem: string }

/** Parses a recording from outside: checks shape, completeness and digest. */
export function parseRecording(text: string): ParsedRecording {
  const parsed = recordingSchema.safeParse(parseJson(text))
  if (!parsed.success)
    return { ok: false, problem: `this is not a recording: ${parsed.error.issues[0]?.message}` }
  const { manifest, calls } = parsed.data
  if (manifest.digest !== recordingDigest(parsed.data))
    return { ok: false, problem: 'the recording was changed after it was made: its digest differs' }
  if (manifest.callCount !== calls.length)
    return { ok: false, problem: 'the recording does not hold as many calls as it says' }
  return { ok: true, value: parsed.data }
}

/** Digest of everything in a recording except the digest itself. */
export function recordingDigest({ manifest, calls }: Recording): Recording['manifest']['digest'] {
  const { digest: _, ...rest } = manifest
  return digestJson({ manifest: rest, calls })
}

/**
 * Responds from a recording, offline: the n-th request of a key gets the n-th response of that key, in its original
 * pieces. A recorded response contains the paths of its folders, so the agent has to work in the same ones (a sandbox
 * provides them). `pace` scales the recorded waiting times (0 = none). `answer` returns null if the recording has no
 * response.
 */
export class Replayer {
  readonly #queues = new Map<string, RecordedCall[]>()
  readonly #places: Readonly<Record<string, string>>
  readonly #pace: number

  constructor(
    recording: Recording,
    options: { places: Readonly<Record<string, string>>; pace: number },
  ) {
    this.#places = options.places
    this.#pace = options.pace
    for (const call of recording.calls) {
      const queue = this.#queues.get(call.key) ?? []
      queue.push(call)
      this.#queues.set(call.key, queue)
    }
  }

  /** Responses that were not requested yet. */
  get left(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.length, 0)
  }

  respond(path: string, body: string): { key: string; response: UpstreamAnswer | null } {
    const key = requestKey(path, body, this.#places)
    const call = this.#queues.get(key)?.shift()
    return { key, response: call ? play(call, this.#pace) : null }
  }
}

function play(call: RecordedCall, pace: number): UpstreamAnswer {
  const stop = new AbortController()
  return {
    status: call.status,
    headers: call.headers,
    body: pieces(call, pace, stop.signal),
    abort: () => stop.abort(),
  }
}

async function* pieces(
  call: RecordedCall,
  pace: number,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(call.body.data, call.body.encoding)
  let start = 0
  let atMs = 0
  for (const [pieceMs, length] of call.pieces) {
    const wait = (pieceMs - atMs) * pace
    if (wait > 0) await sleep(wait, undefined, { signal: stop })
    stop.throwIfAborted()
    yield bytes.subarray(start, start + length)
    start += length
    atMs = pieceMs
  }
  if (!call.whole) throw new Error('the recorded answer broke off here')
}
