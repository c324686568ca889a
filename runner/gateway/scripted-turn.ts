import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { at, listAt, textAt } from './json-value.ts'
import {
  type ModelScript,
  type ScriptCall,
  type ScriptTurn,
  scriptedTokens,
} from './model-script.ts'
import { writeTurn } from './write-turn.ts'

type ChosenTurn =
  | { ok: true; turn: ScriptTurn; calls: { name: string; input: unknown }[]; key: string }
  | { ok: false; problem: string }

const CLOSING: ScriptTurn = { say: 'Done.' }
const ASIDE: ScriptTurn = { say: 'A short title' }

/**
 * Returns the turn for a request, by the state of its conversation; past the script's end the model says it is done.
 */
export function chooseTurn(
  script: ModelScript,
  conversation: Conversation,
  request: unknown,
): ChosenTurn {
  if (isAside(script, conversation))
    return { ok: true, turn: script.aside ?? ASIDE, calls: [], key: 'aside' }
  const turn = script.turns[conversation.assistantTurns] ?? CLOSING
  const wanted = [...(turn.call ? [turn.call] : []), ...(turn.calls ?? [])]
  const calls = wanted.map((ways) => choose(ways, conversation.tools))
  const missing = calls.indexOf(null)
  if (missing >= 0)
    return {
      ok: false,
      problem: `turn ${conversation.assistantTurns + 1} of the script calls ${names(wanted[missing])}; offered are ${conversation.tools.join(', ')}`,
    }
  const key = String(conversation.assistantTurns)
  const found = calls.filter((call) => call !== null)
  try {
    const resolved = found.map(({ tool, input }) => ({
      name: tool,
      input: resolveInput(input, request),
    }))
    return { ok: true, turn, calls: resolved, key }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return {
      ok: false,
      problem: `turn ${conversation.assistantTurns + 1} of the script: ${problem}`,
    }
  }
}

/** Returns true for a request without tools if the script needs some. */
function isAside(script: ModelScript, { tools }: Conversation): boolean {
  return tools.length === 0 && script.turns.some(({ call, calls }) => call || calls)
}

function choose(ways: ScriptCall | ScriptCall[], tools: readonly string[]): ScriptCall | null {
  const all = Array.isArray(ways) ? ways : [ways]
  return all.find(({ tool }) => tools.includes(tool)) ?? null
}

function names(ways: ScriptCall | ScriptCall[] | undefined): string {
  return [ways ?? []]
    .flat()
    .map(({ tool }) => tool)
    .join(' or ')
}

type Conversation = {
  /** Number of responses of the model in the request. */
  assistantTurns: number
  /** Names of the tools that may be called. */
  tools: string[]
}

/** Reads the progress of a conversation from a request: two consecutive items of the model are one turn. */
export function readConversation(protocol: Protocol, body: unknown): Conversation {
  const items = protocol === 'gemini' ? listAt(body, 'contents') : itemsOf(protocol, body)
  const byModel = items.map((item) => isByModel(protocol, item))
  const assistantTurns = byModel.filter((own, index) => own && !byModel[index - 1]).length
  return { assistantTurns, tools: toolsOf(protocol, body) }
}

function itemsOf(protocol: Protocol, body: unknown): readonly unknown[] {
  return listAt(body, protocol === 'openai-responses' ? 'input' : 'messages')
}

function isByModel(protocol: Protocol, item: unknown): boolean {
  const role = at(item, 'role')
  if (protocol !== 'openai-responses') return role === 'assistant' || role === 'model'
  const type = textAt(item, 'type') ?? 'message'
  return role === 'assistant' || type === 'reasoning' || type.endsWith('_call')
}

function toolsOf(protocol: Protocol, body: unknown): string[] {
  const tools = listAt(body, 'tools')
  if (protocol === 'gemini')
    return tools.flatMap((tool) =>
      listAt(tool, 'functionDeclarations').flatMap((one) => textAt(one, 'name') ?? []),
    )
  return tools.flatMap(
    (tool) =>
      textAt(tool, 'name') ?? textAt(tool, 'function', 'name') ?? textAt(tool, 'type') ?? [],
  )
}

/** `{ "$match": "button \"Save\".*?\\[ref=(\\w+)\\]" }`: a value that a script cannot know beforehand. */
const lookupSchema = z.strictObject({ $match: z.string().min(1).max(1000) })

/**
 * Resolves the input of a scripted call: a lookup becomes the first group of its last match in the request, as a model
 * would copy a reference from a tool's result. Throws a one-sentence error if nothing matches.
 */
export function resolveInput(input: unknown, request: unknown): unknown {
  const lookup = lookupSchema.safeParse(input)
  if (lookup.success) return lastMatch(lookup.data.$match, request)
  if (Array.isArray(input)) return input.map((one) => resolveInput(one, request))
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, resolveInput(value, request)]),
  )
}

function lastMatch(pattern: string, request: unknown): string {
  const found = [...textsOf(request)].flatMap((text) => [
    ...text.matchAll(new RegExp(pattern, 'g')),
  ])
  const last = found.at(-1)
  if (last === undefined) throw new Error(`nothing in the conversation fits ${pattern}`)
  return last[1] ?? last[0]
}

/** Yields every string of a request, in order; tool results follow their calls. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const one of value) yield* textsOf(one)
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) yield* textsOf(one)
}

export type ScriptedAsk = {
  protocol: Protocol
  model: string
  streams: boolean
  asksUsage: boolean
}

/** A fixed date, so that equal scripts give equal bytes. */
const CREATED_AT = 1_767_225_600

/** Sends one scripted turn event by event, with its waits, up to its cut. */
export async function playTurn(
  ask: ScriptedAsk & { id: string },
  turn: ScriptTurn,
  calls: readonly { name: string; input: unknown }[],
  client: ServerResponse,
): Promise<void> {
  const { contentType, chunks } = writeTurn(
    ask.protocol,
    {
      id: ask.id,
      model: ask.model,
      reason: turn.reason ?? null,
      say: turn.say ?? null,
      calls,
      usage: scriptedTokens(turn),
      stop: turn.stop ?? 'end',
      createdAt: CREATED_AT,
    },
    ask,
  )
  if (turn.delayMs) await sleep(turn.delayMs)
  client.writeHead(200, { 'content-type': contentType, 'request-id': ask.id })
  for (const [index, chunk] of chunks.entries()) {
    if (index === turn.cutAfterEvents) return void client.destroy()
    if (index > 0 && turn.eventDelayMs) await sleep(turn.eventDelayMs)
    if (client.closed) return
    await written(client, chunk)
  }
  client.end()
}

/** Waits until the piece is sent, so that a cut after it does not drop it. */
function written(client: ServerResponse, chunk: string): Promise<void> {
  return new Promise((resolve) => {
    client.once('close', resolve)
    client.write(chunk, () => {
      client.removeListener('close', resolve)
      resolve()
    })
  })
}
