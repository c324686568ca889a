import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { listAt, textAt } from '../meter/json-value.ts'
import type { Protocol } from '../protocol.ts'

export type RequestProblem = { status: number; message: string }

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

/** What a provider would find wrong with a request, in the order it looks: key, headers, shape, tool results. */
export function checkRequest(
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

/** A tool result without its call, or a call that is left without a result. */
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
  // Gemini ties by name: as many answers as calls.
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
