import type { z } from 'zod'
import type { ShardState } from '../../domain/executors/index.ts'
import { formatIssues, parseJson, problemLines } from '../../domain/record/index.ts'
import { ask } from '../../outgoing/request.ts'

/** A shard as its engine sees it. `done` = its process ended well; `given-up` = the engine tries it no more. */
export type EngineShard = {
  number: number
  state: Exclude<ShardState, 'cancelled'>
  host: string | null
  /** What the engine says about it; null = nothing. */
  reason: string | null
}

export type EngineLook = {
  /** Nothing of it runs any more, and nothing will be started. */
  isOver: boolean
  /** What the engine says about the whole run; null = nothing. */
  reason: string | null
  shards: EngineShard[]
}

export type EngineJob = { engineId: string; engineUrl: string | null }

/** What carries out the shards of one run on other machines. Every method throws an EngineFailure. */
export type Engine = {
  /** The job of this run, if it was started before; whether it still has the token that it was started with. */
  find: () => Promise<(EngineJob & { hasToken: boolean }) | null>
  /** Starts it, or completes what an interrupted start left; `token` is the run's. */
  start: (token: string) => Promise<EngineJob>
  look: (engineId: string) => Promise<EngineLook>
  /** Ends every shard; asking again is harmless. */
  cancel: (engineId: string) => Promise<void>
  /** Removes what must not stay behind, such as a token. */
  clean: (engineId: string) => Promise<void>
}

/** An engine did not do what it was asked, in one sentence. Final = asking again would give the same answer. */
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
  /** Who is asked, for sentences: `Kubernetes`. */
  name: string
  method: 'GET' | 'POST' | 'DELETE' | 'PUT'
  url: URL
  headers: Readonly<Record<string, string>>
  body?: unknown
  tls?: Tls
}

type Answer = { status: number; body: unknown; text: string }

/** Asks an engine's API once; no redirect is followed, because the request carries a token. Throws an EngineFailure. */
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
    // A certificate or a token that cannot be sent is among them.
    throw new EngineFailure(`${name} at ${url.host} cannot be reached: ${error.message}`)
  })
  const text = reply.body.toString('utf8')
  return { status: reply.status, body: parseJson(text), text }
}

function contentHeaders(sent: string) {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
}

/** An answer in the shape that it must have; one that has not is a failure which says what is wrong with it. */
export function readAnswer<S extends z.ZodType>(
  name: string,
  { status, body, text }: Answer,
  schema: S,
): z.infer<S> {
  if (status < 200 || status > 299) {
    const said = (body as { message?: unknown } | undefined)?.message
    const why = typeof said === 'string' ? said : text.slice(0, 200) || 'nothing'
    // Refused for what was sent or who sent it.
    const isFinal = [400, 401, 403, 404, 405, 409, 415, 422].includes(status)
    throw new EngineFailure(`${name} answered ${status}: ${why}`, { isFinal })
  }
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [line] = problemLines(formatIssues(parsed.error.issues), 1)
  throw new EngineFailure(`${name} gave an answer that makes no sense: ${line}`)
}
