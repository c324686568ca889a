import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { errorBody, JSON_TYPE, readClientBody, sendWhole } from './http.ts'
import { at, listAt, textAt } from './json-value.ts'
import type { ModelScript } from './model-script.ts'
import { routeRequest } from './route-request.ts'
import { chooseTurn, playTurn, readConversation, type ScriptedAsk } from './scripted-turn.ts'

const MAX_BODY_BYTES = 64 << 20

type SeenRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  /** The bytes as text, unchanged. */
  body: string
}

export type ModelServer = {
  /** Base URL of a provider that speaks all four protocols. */
  url: string
  /** All requests, in order. */
  requests: readonly SeenRequest[]
  /** Mismatches between script and agent, in one sentence each. */
  problems: readonly string[]
  close: () => Promise<void>
}

type State = {
  script: ModelScript
  key: string | null
  requests: SeenRequest[]
  problems: string[]
  /** Number of requests per turn, for its errors; and the number of responses, for ids. */
  asked: Map<string, number>
  answered: number
}

/**
 * Starts a model provider that responds from a script in all four protocols, streamed or not, and rejects bad requests
 * as a provider would. `key` = the only accepted key; null = any. `port` 0 = a free one.
 */
export async function startModelServer(
  script: ModelScript,
  options: { key: string | null; port: number },
): Promise<ModelServer> {
  const state: State = {
    script,
    key: options.key,
    requests: [],
    problems: [],
    asked: new Map(),
    answered: 0,
  }
  const server = createServer((request, client) => {
    client.on('error', () => {})
    serve(state, request, client).catch((error: Error) => {
      state.problems.push(error.message)
      client.destroy()
    })
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    problems: state.problems,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function serve(
  state: State,
  request: IncomingMessage,
  client: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://model')
  const method = request.method ?? 'GET'
  const bytes = await readClientBody(request, MAX_BODY_BYTES)
  const text = bytes?.toString('utf8') ?? ''
  state.requests.push({ method, path: url.pathname, headers: request.headers, body: text })
  const route = routeRequest(method, url.pathname)
  if (route.kind !== 'turn') return await serveFree(url.pathname, client)
  const json = parseJson(text)
  const problem = checkRequest(route.protocol, request.headers, json, state.key)
  if (problem) {
    const body = errorBody(route.protocol, problem.status, problem.message)
    return await sendWhole(client, problem.status, JSON_TYPE, body)
  }
  await respond(
    state,
    {
      protocol: route.protocol,
      json,
      model: state.script.model ?? route.model ?? String(at(json, 'model')),
      streams: route.streams ?? at(json, 'stream') === true,
      asksUsage: at(json, 'stream_options', 'include_usage') === true,
    },
    client,
  )
}

async function respond(
  state: State,
  ask: ScriptedAsk & { json: unknown },
  client: ServerResponse,
): Promise<void> {
  const chosen = chooseTurn(state.script, readConversation(ask.protocol, ask.json), ask.json)
  if (!chosen.ok) {
    state.problems.push(chosen.problem)
    const body = errorBody(ask.protocol, 400, chosen.problem)
    return await sendWhole(client, 400, JSON_TYPE, body)
  }
  const before = state.asked.get(chosen.key) ?? 0
  state.asked.set(chosen.key, before + 1)
  const error = chosen.turn.errors?.[before]
  if (error) {
    const headers =
      error.retryAfterSeconds === undefined
        ? {}
        : { 'retry-after': String(error.retryAfterSeconds) }
    const body = errorBody(ask.protocol, error.status, error.message ?? 'scripted error')
    return await sendWhole(client, error.status, { ...JSON_TYPE, ...headers }, body)
  }
  state.answered += 1
  const id = `scripted${String(state.answered).padStart(6, '0')}`
  await playTurn({ ...ask, id }, chosen.turn, chosen.calls, client)
}

/** Serves requests of CLIs that are not turns. */
async function serveFree(path: string, client: ServerResponse): Promise<void> {
  const body = path.endsWith('/models')
    ? { object: 'list', data: [], models: [] }
    : path.includes('ount')
      ? { input_tokens: 100, totalTokens: 100 }
      : {}
  await sendWhole(client, 200, JSON_TYPE, JSON.stringify(body))
}

type RequestProblem = { status: number; message: string }

const list = z.array(z.looseObject({})).min(1)
const temperature = z.number().min(0).max(2).nullish()

const SHAPES: Record<Protocol, z.ZodType> = {
  anthropic: z.looseObject({
    model: z.string().min(1),
    max_tokens: z.number().int().positive(),
    messages: list,
    temperature: z.number().min(0).max(1).optional(),
    stream: z.boolean().optional(),
  }),
  'openai-responses': z.looseObject({
    model: z.string().min(1),
    input: z.union([z.string(), list]),
    temperature,
    stream: z.boolean().nullish(),
  }),
  'openai-chat': z.looseObject({
    model: z.string().min(1),
    messages: list,
    temperature,
    stream: z.boolean().nullish(),
  }),
  gemini: z.looseObject({
    contents: list,
    generationConfig: z.looseObject({ temperature }).optional(),
  }),
}

/**
 * Returns the error that a provider would report for a request, in its order of checks: key, headers, shape, tool
 * results.
 */
function checkRequest(
  protocol: Protocol,
  headers: IncomingHttpHeaders,
  body: unknown,
  key: string | null,
): RequestProblem | null {
  const given = keyOf(headers)
  if (given === null) return { status: 401, message: 'No API key was sent.' }
  if (key !== null && given !== key) return { status: 401, message: 'The API key is not valid.' }
  if (protocol === 'anthropic' && headers['anthropic-version'] === undefined)
    return { status: 400, message: 'anthropic-version: header is required' }
  const shape = SHAPES[protocol].safeParse(body)
  if (!shape.success) {
    const issue = shape.error.issues[0]
    return { status: 400, message: `${issue?.path.join('.')}: ${issue?.message}` }
  }
  const orphan = findOrphan(protocol, body)
  return orphan ? { status: 400, message: orphan } : null
}

function keyOf(headers: IncomingHttpHeaders): string | null {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
  const named = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? bearer
  return typeof named === 'string' && named !== '' ? named : null
}

/** Finds a tool result without its call, or a call without a result. */
function findOrphan(protocol: Protocol, body: unknown): string | null {
  const { calls, results } = TIES[protocol](body)
  const stray = results.find((id) => !calls.includes(id))
  if (stray !== undefined) return `tool result ${stray} has no tool call before it`
  const open = calls.find((id) => !results.includes(id))
  return open === undefined ? null : `tool call ${open} has no result after it`
}

type Ties = { calls: string[]; results: string[] }

const TIES: Record<Protocol, (body: unknown) => Ties> = {
  anthropic: (body) => {
    const blocks = listAt(body, 'messages').flatMap((message) => listAt(message, 'content'))
    return {
      calls: ids(blocks, 'tool_use', 'id'),
      results: ids(blocks, 'tool_result', 'tool_use_id'),
    }
  },
  'openai-responses': (body) => {
    const items = listAt(body, 'input')
    return {
      calls: ids(items, 'function_call', 'call_id'),
      results: ids(items, 'function_call_output', 'call_id'),
    }
  },
  'openai-chat': (body) => {
    const messages = listAt(body, 'messages')
    return {
      calls: messages
        .flatMap((message) => listAt(message, 'tool_calls'))
        .flatMap((call) => textAt(call, 'id') ?? []),
      results: messages.flatMap((message) => textAt(message, 'tool_call_id') ?? []),
    }
  },
  // Gemini matches by name: as many responses as calls.
  gemini: (body) => {
    const parts = listAt(body, 'contents').flatMap((content) => listAt(content, 'parts'))
    return {
      calls: numbered(parts.flatMap((part) => textAt(part, 'functionCall', 'name') ?? [])),
      results: numbered(parts.flatMap((part) => textAt(part, 'functionResponse', 'name') ?? [])),
    }
  },
}

function ids(items: readonly unknown[], type: string, member: string): string[] {
  return items.flatMap((item) =>
    textAt(item, 'type') === type ? (textAt(item, member) ?? []) : [],
  )
}

function numbered(names: readonly string[]): string[] {
  return names.map(
    (name, index) => `${name}#${names.slice(0, index).filter((one) => one === name).length + 1}`,
  )
}
