import { readsMore } from './admission.ts'
import { at, countAt, listAt } from './json-value.ts'
import { partsOfRequest } from './request-parts.ts'
import type { ModelRequest } from './route-request.ts'
import type { Tokens } from './tokens.ts'

type RequestFacts = Pick<ModelRequest, 'protocol' | 'json' | 'text' | 'bytes'>

type ResponseFacts = {
  rawUsage: Record<string, unknown> | null
  isUsageFinal: boolean
  readable: boolean
  /** Decoded bytes. */
  plainBytes: number
  /** Characters that the model wrote and the gateway read. */
  written: number
}

/** No tokenizer joins more text into one token, including blanks. */
const MAX_CHARACTERS_PER_TOKEN = 64
/** Tokens of a provider's own instructions, and those of each tool that it defines itself. */
const MAX_ADDED_TOKENS = 2000
const MAX_ADDED_TOKENS_PER_TOOL = 1000

/**
 * Returns why stated tokens contradict the bytes transferred: a token of text has at least one byte, and a bounded
 * length. Null = they do not. Makes no statement if the bytes do not show the whole input: images, files, a stored
 * conversation, tools that the provider runs.
 */
export function findImplausible(
  request: RequestFacts,
  stated: Tokens,
  response: ResponseFacts,
): string | null {
  if (response.rawUsage === null || !response.isUsageFinal || !response.readable) return null
  return findWrongInput(request, stated.input) ?? findWrongOutput(stated, response)
}

const MEDIA =
  /"(?:image|image_url|input_image|inline_?data|input_audio|audio|video|video_url|source|input_file|file|document)"\s*:|"data:[a-z]/i

function findWrongInput(request: RequestFacts, input: number | null): string | null {
  const { protocol, json, text, bytes } = request
  if (input === null || readsMore(protocol, { json, text })) return null
  const characters = countCharacters(json)
  const isCutShort = (at(json, 'context_management') ?? at(json, 'truncation') ?? null) !== null
  if (!isCutShort && isTooFew(input, characters)) return 'fewer input tokens than its text can have'
  const added = MAX_ADDED_TOKENS + MAX_ADDED_TOKENS_PER_TOOL * countTypedTools(json)
  const isTooMany = !MEDIA.test(text) && input > bytes.length + added
  return isTooMany ? 'more input tokens than the request has bytes' : null
}

function findWrongOutput({ output, reasoning }: Tokens, response: ResponseFacts): string | null {
  if (output === null) return null
  // Tokens counted in addition to the completion need not be shown.
  const counted = countAt(response.rawUsage, 'completion_tokens') ?? output
  const shown = Math.min(counted, output) - (reasoning ?? 0)
  if (shown > response.plainBytes) return 'more output tokens than the answer has bytes'
  return isTooFew(output, response.written) ? 'fewer output tokens than its text can have' : null
}

function isTooFew(tokens: number, characters: number): boolean {
  return tokens === 0 ? characters > 0 : tokens * MAX_CHARACTERS_PER_TOKEN < characters
}

function countTypedTools(json: unknown): number {
  return listAt(json, 'tools').filter(
    (tool) => !/^(?:function|custom)$/.test(String(at(tool, 'type') ?? 'function')),
  ).length
}

const TEXTS = ['text', 'content', 'output', 'arguments']

/** Characters of the conversation's own texts: a lower bound of what the model read. */
function countCharacters(json: unknown): number {
  const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0)
  let count =
    lengthOf(at(json, 'system')) + lengthOf(at(json, 'input')) + lengthOf(at(json, 'instructions'))
  for (const part of partsOfRequest(json))
    for (const name of TEXTS) count += lengthOf(at(part, name))
  return count
}
