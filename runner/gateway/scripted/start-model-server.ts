import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from '../forward/read-body.ts'
import { JSON_TYPE, sendWhole } from '../forward/send-whole.ts'
import { at, parseJson } from '../meter/json-value.ts'
import { routeRequest } from '../route-request.ts'
import { writeError } from '../wire/write-error.ts'
import { checkRequest } from './check-request.ts'
import { chooseTurn } from './choose-turn.ts'
import { playTurn, type ScriptedAsk } from './play-turn.ts'
import { readConversation } from './read-conversation.ts'
import type { ModelScript } from './script.ts'

const MOST_BODY_BYTES = 64 << 20

export type SeenRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  /** The bytes as text, exactly as they came. */
  body: string
}

export type ModelServer = {
  /** Base URL of a provider that speaks all four protocols. */
  url: string
  /** Everything that was asked, in order. */
  requests: readonly SeenRequest[]
  /** Where the script did not fit the agent, in one sentence each. */
  problems: readonly string[]
  close: () => Promise<void>
}

type State = {
  script: ModelScript
  key: string | null
  requests: SeenRequest[]
  problems: string[]
  /** How often each turn was asked, for its errors; and the answers given, for ids. */
  asked: Map<string, number>
  answered: number
}

/**
 * A model provider that plays a script over all four protocols, streamed or not, and refuses bad requests as a provider
 * would. `key` = the only key that is let in; null = any. `port` 0 = a free one.
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
  const bytes = await readBody(request, MOST_BODY_BYTES)
  const text = bytes?.toString('utf8') ?? ''
  state.requests.push({ method, path: url.pathname, headers: request.headers, body: text })
  const route = routeRequest(method, url.pathname)
  if (route.kind !== 'turn') return await serveFree(url.pathname, client)
  const json = parseJson(text)
  const problem = checkRequest(route.protocol, request.headers, json, state.key)
  if (problem) {
    const body = writeError(route.protocol, problem.status, problem.message)
    return await sendWhole(client, problem.status, JSON_TYPE, body)
  }
  await answer(
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

async function answer(
  state: State,
  ask: ScriptedAsk & { json: unknown },
  client: ServerResponse,
): Promise<void> {
  const chosen = chooseTurn(state.script, readConversation(ask.protocol, ask.json), ask.json)
  if (!chosen.ok) {
    state.problems.push(chosen.problem)
    const body = writeError(ask.protocol, 400, chosen.problem)
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
    const body = writeError(ask.protocol, error.status, error.message ?? 'scripted error')
    return await sendWhole(client, error.status, { ...JSON_TYPE, ...headers }, body)
  }
  state.answered += 1
  const id = `scripted${String(state.answered).padStart(6, '0')}`
  await playTurn({ ...ask, id }, chosen.turn, chosen.calls, client)
}

/** What CLIs ask besides turns. */
async function serveFree(path: string, client: ServerResponse): Promise<void> {
  const body = path.endsWith('/models')
    ? { object: 'list', data: [], models: [] }
    : path.includes('ount')
      ? { input_tokens: 100, totalTokens: 100 }
      : {}
  await sendWhole(client, 200, JSON_TYPE, JSON.stringify(body))
}
