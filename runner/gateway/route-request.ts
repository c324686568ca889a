import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { at, textAt } from './json-value.ts'
import { parseRequest } from './parse-request.ts'

type Route =
  /** A model turn: read, metered, under budgets and pins. */
  | { kind: 'turn'; protocol: Protocol; model: string | null; streams: boolean | null }
  /** Free: forwarded and counted. */
  | { kind: 'free' }
  /** Would cause work that cannot be metered. */
  | { kind: 'refused' }

const GEMINI = /\/models\/([^/:]+):(stream)?[gG]enerateContent$/
/** `/models` or one model, whose id may contain a slash. */
const FREE_GET = /\/models(?:\/[^/]+){0,2}$/
const FREE_POST = /\/messages\/count_tokens$|:countTokens$|\/responses\/input_tokens$/

/** A `.` or `..` segment, also with a backslash or an encoded slash as separator, as some servers read it. */
const DOTS = /(?:^|[/\\])\.{1,2}(?:$|[/\\;])/

/**
 * Normalises a path to the form in which it is sent, so that the checked path is the requested one: a URL turns
 * backslashes into slashes. Null for a path with dot segments.
 */
export function plainPath(path: string): string | null {
  let decoded = path
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // Not percent-encoded, so taken literally.
  }
  if (DOTS.test(decoded)) return null
  const url = new URL('http://gateway')
  url.pathname = path
  return url.pathname
}

/**
 * Classifies a request by its path below a protocol's base; the path decides and not the base, so that no turn escapes
 * the meter. Model and streaming are in the path for Gemini only (null = see the body). State that the provider stores
 * for the key (files, responses, batches) is refused.
 */
export function routeRequest(method: string, path: string): Route {
  if (method !== 'POST') return { kind: isFreeRead(method, path) ? 'free' : 'refused' }
  const gemini = GEMINI.exec(path)
  if (gemini)
    return {
      kind: 'turn',
      protocol: 'gemini',
      model: gemini[1] ?? null,
      streams: gemini[2] !== undefined,
    }
  if (FREE_POST.test(path)) return { kind: 'free' }
  if (path.endsWith('/messages')) return turn('anthropic')
  if (path.endsWith('/chat/completions')) return turn('openai-chat')
  if (/\/responses(\/compact)?$/.test(path)) return turn('openai-responses')
  return { kind: 'refused' }
}

function isFreeRead(method: string, path: string): boolean {
  if (method === 'OPTIONS') return true
  return (method === 'GET' || method === 'HEAD') && (path === '/' || FREE_GET.test(path))
}

function turn(protocol: Protocol): Route {
  return { kind: 'turn', protocol, model: null, streams: null }
}

/** Returns true if the provider would respond later and elsewhere: without usage for a step. */
export function isDeferred({ protocol, json }: Pick<ModelRequest, 'protocol' | 'json'>): boolean {
  return protocol === 'openai-responses' && at(json, 'background') === true
}

/** A model turn as the agent requested it, as parsed by `parseRequest`. */
export type ModelRequest = {
  protocol: Protocol
  /** Below the protocol's base, without query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
  json: unknown
  model: string | null
  streams: boolean
  /** Chat only: the agent itself requested usage in the stream. */
  asksUsage: boolean
}

/** Parses the request, or returns in one sentence why it is not forwarded. */
export function readAskedTurn(
  route: Route & { kind: 'turn' },
  place: { path: string; query: URLSearchParams; headers: IncomingHttpHeaders },
  bytes: Buffer,
): { ok: true; request: ModelRequest } | { ok: false; reason: string } {
  const given = bytes.toString('utf8')
  const parsed = parseRequest(route.protocol, given)
  if (!parsed.ok) return parsed
  const { text, json } = parsed
  const isAsGiven = text === given && isUtf8(bytes)
  const requested = {
    ...place,
    protocol: route.protocol,
    bytes: isAsGiven ? bytes : Buffer.from(text),
    text,
    json,
    model: route.model ?? textAt(json, 'model'),
    streams: route.streams ?? at(json, 'stream') === true,
    asksUsage: at(json, 'stream_options', 'include_usage') === true,
  }
  return { ok: true, request: requested }
}
