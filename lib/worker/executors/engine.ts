import type { z } from 'zod'
import type { ShardState } from '../../domain/executors/index.ts'
import { formatIssues, parseJson, problemLines } from '../../domain/text/index.ts'
import { ask } from '../../outgoing/request.ts'

/** State of a shard in its executor. `done` = its process succeeded; `given-up` = the executor does not retry it. */
export type EngineShard = {
  number: number
  state: Exclude<ShardState, 'cancelled'>
  host: string | null
  /** The executor's message about the shard; null = none. */
  reason: string | null
}

export type EngineLook = {
  /** True once nothing of it runs any more, and nothing will be started. */
  isOver: boolean
  /** The executor's message about the whole run; null = none. */
  reason: string | null
  shards: EngineShard[]
}

export type EngineJob = { engineId: string; engineUrl: string | null }

/** Runs the shards of one run on other machines. Every method throws an EngineFailure. */
export type Engine = {
  /** Finds the job of this run, if it was started before, and whether it still has its token. */
  find: () => Promise<(EngineJob & { hasToken: boolean }) | null>
  /** Starts the job, or completes an interrupted start. `token` is the run's. */
  start: (token: string) => Promise<EngineJob>
  look: (engineId: string) => Promise<EngineLook>
  /** Ends every shard. Idempotent. */
  cancel: (engineId: string) => Promise<void>
  /** Removes what must not remain, such as a token. */
  clean: (engineId: string) => Promise<void>
}

/** A failed request to an executor, with a one-sentence message. Final = a retry would fail in the same way. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure'
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false }: { isFinal?: boolean } = {}) {
    super(message.replace(/\s+/g, ' ').trim().slice(0, 500))
    this.isFinal = isFinal
  }
}

const MAX_BYTES = 16 * 1024 * 1024
const MAX_MS = 30_000

export type Tls = Partial<Record<'ca' | 'cert' | 'key', Buffer | undefined>>

type Ask = {
  /** Name of the service in messages: `Kubernetes`. */
  name: string
  method: 'GET' | 'POST' | 'DELETE' | 'PUT'
  url: URL
  headers: Readonly<Record<string, string>>
  body?: unknown
  tls?: Tls
}

type Answer = { status: number; body: unknown; text: string }

/**
 * Sends one request to an executor's API. Follows no redirect, because the request carries a token. Throws an
 * EngineFailure.
 */
export async function askEngine({ name, method, url, headers, body, tls }: Ask): Promise<Answer> {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const content = sent === undefined ? {} : contentHeaders(sent)
  const reply = await ask(url, {
    method,
    headers: { accept: 'application/json', ...content, ...headers },
    body: sent,
    timeoutMs: MAX_MS,
    maxBytes: MAX_BYTES,
    ...tls,
  }).catch((error: Error) => {
    // This includes an invalid certificate or token.
    throw new EngineFailure(`${name} at ${url.host} cannot be reached: ${error.message}`)
  })
  const text = reply.body.toString('utf8')
  return { status: reply.status, body: parseJson(text), text }
}

function contentHeaders(sent: string) {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
}

/** Parses the response. Throws an EngineFailure if it does not match the schema. */
export function readAnswer<S extends z.ZodType>(
  name: string,
  { status, body, text }: Answer,
  schema: S,
): z.infer<S> {
  if (status < 200 || status > 299) {
    const message = (body as { message?: unknown } | undefined)?.message
    const why = typeof message === 'string' ? message : text.slice(0, 200) || 'nothing'
    // Rejected for its content or its sender.
    const isFinal = [400, 401, 403, 404, 405, 409, 415, 422].includes(status)
    throw new EngineFailure(`${name} answered ${status}: ${why}`, { isFinal })
  }
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [line] = problemLines(formatIssues(parsed.error.issues), 1)
  throw new EngineFailure(`${name} gave an answer that makes no sense: ${line}`)
}
