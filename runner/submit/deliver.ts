import { createReadStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { countOf, parseJson } from '#lib/domain/text/index.ts'
import { openRequest, whyUnreached } from '#lib/outgoing/request.ts'
import { deliveryError, isRunnerError } from '../runner-error.ts'
import type { Payload } from './pack-payload.ts'
import type { TokenSource } from './target.ts'

type Delivery = {
  url: URL
  source: TokenSource
  /** Maximum number of tries. */
  max: number
  onWait: (why: string, waitMs: number) => void
}

/** Sends what `makePayload` returns until a final response comes. Throws a RunnerError without one. */
export async function deliver(
  makePayload: () => Payload,
  { url, source, max, onWait }: Delivery,
): Promise<Reply> {
  for (let made = 1; ; made++) {
    const { reply, why } = await attempt(url, source, makePayload())
    const failure = {
      status: reply?.status ?? null,
      retryAfter: reply?.headers['retry-after'] ?? null,
    }
    const waitMs = planRetry(failure, { made, max, chance: Math.random(), now: Date.now() })
    if (waitMs !== null) {
      onWait(why, waitMs)
      await sleep(waitMs)
      continue
    }
    if (reply) return reply
    throw deliveryError(`${why}, after ${countOf(made, 'try')}`)
  }
}

/** `reply` null = none came, for the reason `why`. */
type Attempt = { reply: Reply | null; why: string }

async function attempt(url: URL, source: TokenSource, payload: Payload): Promise<Attempt> {
  try {
    const reply = await sendOnce(url, await source.tokenFor(payload.digest), payload)
    return { reply, why: `the server answered ${reply.status}` }
  } catch (error) {
    if (isRunnerError(error, 'delivery')) return { reply: null, why: error.message }
    return { reply: null, why: `${url.host} cannot be reached (${whyUnreached(error)})` }
  }
}

/** A received response; `text` is cut if it is extremely long. */
export type Reply = { status: number; headers: IncomingMessage['headers']; text: string }

const MAX_REPLY_BYTES = 8 * 1024 * 1024
/** Maximum time without progress: the server reads and writes while we wait for its response. */
const SILENT_MS = 180_000

/** Sends a payload once, from disk. Follows no redirect: a token is for one address. Throws the network's error. */
function sendOnce(url: URL, token: string, payload: Payload): Promise<Reply> {
  const { file, bytes, contentType, contentEncoding } = payload
  return new Promise((resolve, reject) => {
    const asking = openRequest(url, {
      method: 'POST',
      timeout: SILENT_MS,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': 'proofboard-submit',
        'content-type': contentType,
        'content-length': bytes,
        ...(contentEncoding && { 'content-encoding': contentEncoding }),
      },
    })
    asking.on('timeout', () => asking.destroy(new Error('the server says nothing')))
    asking.on('response', (response) => {
      // A refusal may come before everything was sent; the rest need not be.
      readBody(response)
        .then(resolve, reject)
        .finally(() => asking.destroy())
    })
    asking.on('error', reject)
    // Errors while sending are reported by the request, unless a response came first.
    pipeline(createReadStream(file), asking).catch(() => {})
  })
}

async function readBody(response: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_REPLY_BYTES) chunks.push(chunk)
  }
  const { statusCode: status = 0, headers } = response
  return { status, headers, text: Buffer.concat(chunks).toString('utf8') }
}

const count = z.number().int().nonnegative()
const countsSchema = z.object({ new: count, duplicate: count, conflict: count, rejected: count })
const problemSchema = z.object({ path: z.string(), message: z.string() })

const leftOutSchema = z.object({
  count,
  runs: z.array(z.object({ path: z.string(), reason: z.string() })),
})

const replySchema = z.object({
  summary: z.string().optional(),
  detail: z.string().optional(),
  code: z.string().nullable().default(null),
  counts: countsSchema.nullable().default(null),
  runs: z.array(z.object({ runId: z.string(), url: z.string() })).default([]),
  errors: z.array(problemSchema).default([]),
  errorsOmitted: count.default(0),
  /** Rejected runs of the file, each with its reason. */
  leftOut: leftOutSchema.default({ count: 0, runs: [] }),
  requestId: z.string().nullable().default(null),
})

/** The parts of a response that could be parsed. */
export type SubmitReply = { ok: boolean; status: number; summary: string } & Omit<
  z.infer<typeof replySchema>,
  'summary' | 'detail'
>

/** Parses a server's response; if it is not a Proofboard's, only its status is quoted. */
export function readReply({ status, headers, text }: Reply): SubmitReply {
  const parsed = replySchema.safeParse(parseJson(text))
  const { summary, detail, ...known } = parsed.success ? parsed.data : replySchema.parse({})
  const ok = (status === 200 || status === 201) && summary !== undefined
  const fallback = headers.location
    ? `the server answered ${status} and points to ${headers.location}: name that address with --to`
    : `the server answered ${status}, not as a Proofboard does: check --to`
  return { ok, status, summary: (ok ? summary : detail) ?? fallback, ...known }
}

const FIRST_MS = 1000
const MAX_WAIT_MS = 30_000
/** Longer waits that a server requests are not honoured. */
const MAX_PATIENCE_MS = 120_000
const TRY_AGAIN = new Set([408, 425, 429, 500, 502, 503, 504])

type Failure = {
  /** Null = no response came. */
  status: number | null
  /** The Retry-After header: seconds or a date. */
  retryAfter: string | null
}

/**
 * Returns the wait before try `made + 1`, in milliseconds; null = a retry would not help, or there were enough. Uses
 * the server's request, else doubles the wait, partly random so that shards do not return all at once.
 */
export function planRetry(
  { status, retryAfter }: Failure,
  { made, max, chance, now }: { made: number; max: number; chance: number; now: number },
): number | null {
  if (made >= max) return null
  if (status !== null && !TRY_AGAIN.has(status)) return null
  const requested = readRetryAfter(retryAfter, now)
  if (requested !== null) return requested > MAX_PATIENCE_MS ? null : requested
  const wait = Math.min(FIRST_MS * 2 ** (made - 1), MAX_WAIT_MS)
  return Math.round(wait * (0.5 + chance / 2))
}

function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
