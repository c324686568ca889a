import { z } from 'zod'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'

type Body = { [member: string]: unknown }

export type ParsedRequest = { ok: true; text: string; json: Body } | { ok: false; reason: string }

/** No agent nests deeper; code that reads a request may recurse and must not overflow the stack. */
const MAX_DEPTH = 500

/**
 * Parses the body of a model turn. Controls get one spelling, one place and one type; the text stays unchanged if the
 * body already has them so, otherwise it is serialised from what was read, so that no provider can read another request
 * than the gateway did.
 */
export function parseRequest(protocol: Protocol, text: string): ParsedRequest {
  const json = parseJson(text)
  if (!isBody(json)) return refuse('is not a JSON object')
  const members = countMembers(json)
  if (members === null) return refuse('is nested too deep')
  if (members !== countWrittenMembers(text)) return refuse('names a member twice')
  const spelled =
    protocol === 'gemini'
      ? sinkSettings(spellControls(json, GEMINI))
      : spellControls(hoistControls(json), SHARED)
  const mistyped: string[] = []
  const typed = typeControls(spelled, mistyped)
  if (mistyped[0] !== undefined)
    return refuse(`has a "${mistyped[0]}" of another type than expected`)
  return { ok: true, text: typed === json ? text : JSON.stringify(typed), json: typed }
}

function refuse(what: string): ParsedRequest {
  return { ok: false, reason: `The request body ${what}.` }
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Number of members of all objects; null = nesting exceeds `MAX_DEPTH`. */
function countMembers(root: object): number | null {
  let count = 0
  let level: object[] = [root]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return null
    for (const one of level) if (!Array.isArray(one)) count += Object.keys(one).length
    level = level.flatMap((one) => Object.values(one).filter(isParent))
  }
  return count
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Number of members in the text, including duplicate names: the colons outside its strings. */
function countWrittenMembers(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === ':') count += 1
    if (character === '"') i = endOfString(text, i + 1)
  }
  return count
}

function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

const NUMERIC = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i
const number = z.union([z.number(), z.string().regex(NUMERIC).transform(Number)]).nullable()
const flag = z
  .union([z.boolean(), z.stringbool(), z.literal([0, 1]).transform((value) => value === 1)])
  .nullable()
const text = z.string().nullable()
/** Some servers accept an object as a list of one, and numbered members as its elements. */
const list = z
  .union([
    z.custom<Body[]>((value) => Array.isArray(value) && value.every(isBody)),
    z.custom<Body>(isBody).transform((one) => (isNumbered(one) ? Object.values(one) : [one])),
  ])
  .nullable()
const any = z.unknown()

function isNumbered(one: Body): boolean {
  const members = Object.entries(one)
  return members.length > 0 && members.every(([name, value]) => /^\d+$/.test(name) && isBody(value))
}

/** Members that the gateway acts on, by the name under which they are sent. */
const CONTROLS = {
  model: text,
  models: any,
  temperature: number,
  n: number,
  max_tokens: number,
  max_completion_tokens: number,
  max_output_tokens: number,
  stream: flag,
  stream_options: any,
  background: flag,
  reasoning: any,
  reasoning_effort: any,
  thinking: any,
  enable_thinking: flag,
  enable_search: flag,
  tools: list,
  plugins: list,
  mcp_servers: list,
  web_search_options: any,
  search_parameters: any,
  previous_response_id: any,
  conversation: any,
  container: any,
  prompt: any,
  preset: any,
  messages: any,
  input: any,
  system: any,
  instructions: any,
  include_usage: flag,
  generationConfig: any,
  systemInstruction: any,
  cachedContent: any,
  contents: any,
  toolConfig: any,
  maxOutputTokens: number,
  candidateCount: number,
  thinkingConfig: any,
}
type Control = keyof typeof CONTROLS

const GEMINI_CONTROLS: readonly Control[] = [
  ...([
    'generationConfig',
    'systemInstruction',
    'cachedContent',
    'contents',
    'toolConfig',
  ] as const),
  ...(['tools', 'temperature', 'maxOutputTokens', 'candidateCount', 'thinkingConfig'] as const),
]

type Spellings = ReadonlyMap<string, Control>

/** Folds a name: ignores case, dashes and underscores. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

const spellingsOf = (names: readonly Control[]): Spellings =>
  new Map(names.map((name) => [fold(name), name]))

const GEMINI = spellingsOf(GEMINI_CONTROLS)
const SHARED = spellingsOf(
  (Object.keys(CONTROLS) as Control[]).filter(
    (name) => !/[A-Z]/.test(name) || name === 'cachedContent',
  ),
)

/** Members whose own members a server merges into the request to its model. */
const NESTS: ReadonlySet<string> = new Set(
  [
    ...['extra_body', 'extra_params', 'additional_model_request_fields', 'model_kwargs'],
    ...['litellm_params', 'options', 'parameters', 'generation_config', 'inference_config'],
    ...['provider_options', 'vllm_xargs', 'config', 'google'],
  ].map(fold),
)

/** Moves controls out of members that servers merge into the request. */
function hoistControls(body: Body): Body {
  const found: [Control, unknown][] = []
  const rest = Object.entries(body).map(([name, value]): [string, unknown] =>
    isNest(name, value) ? [name, takeControls(value, found)] : [name, value],
  )
  if (found.length === 0) return body
  const replaced = new Set(found.map(([name]) => fold(name)))
  const kept = rest.filter(([name]) => !replaced.has(fold(name)))
  return Object.fromEntries([...kept, ...found])
}

function isNest(name: string, value: unknown): value is Body {
  return NESTS.has(fold(name)) && isBody(value)
}

function takeControls(nest: Body, found: [Control, unknown][]): Body {
  const kept = Object.entries(nest).flatMap(([name, value]): [string, unknown][] => {
    const control = SHARED.get(fold(name))
    if (control !== undefined) found.push([control, value])
    else return [[name, isNest(name, value) ? takeControls(value, found) : value]]
    return []
  })
  return Object.fromEntries(kept)
}

/** Gives every control its one name. The first of several spellings is kept; members of objects are merged. */
function spellControls(body: Body, spellings: Spellings): Body {
  const spelled = new Map<string, unknown>()
  let isChanged = false
  for (const [name, value] of Object.entries(body)) {
    const control = spellings.get(fold(name)) ?? name
    const inner = holdsControls(control, value) ? spellControls(value, spellings) : value
    isChanged ||= control !== name || inner !== value
    const before = spelled.get(control) ?? null
    if (before === null) spelled.set(control, inner)
    else if (isBody(before) && isBody(inner)) spelled.set(control, { ...inner, ...before })
  }
  return isChanged ? Object.fromEntries(spelled) : body
}

function holdsControls(name: string, value: unknown): value is Body {
  return (name === 'generationConfig' || name === 'stream_options') && isBody(value)
}

const SETTINGS = ['temperature', 'maxOutputTokens', 'candidateCount', 'thinkingConfig']

/** Moves Gemini's settings to where it reads them, because a proxy may read them elsewhere. */
function sinkSettings(body: Body): Body {
  const own = Object.entries(body).filter(([name]) => SETTINGS.includes(name))
  if (own.length === 0) return body
  const rest = Object.entries(body).filter(([name]) => !SETTINGS.includes(name))
  const { generationConfig } = body
  const settings = isBody(generationConfig) ? generationConfig : {}
  return {
    ...Object.fromEntries(rest),
    generationConfig: { ...Object.fromEntries(own), ...settings },
  }
}

/** Gives every control its one type, and collects the names of those that cannot be converted. */
function typeControls(body: Body, mistyped: string[]): Body {
  let typed = body
  for (const [name, value] of Object.entries(body)) {
    if (!isControl(name)) continue
    const inner = holdsControls(name, value) ? typeControls(value, mistyped) : value
    const read = CONTROLS[name].safeParse(inner)
    if (!read.success) mistyped.push(name)
    else if (read.data !== value) typed = { ...typed, [name]: read.data }
  }
  return typed
}

function isControl(name: string): name is Control {
  return Object.hasOwn(CONTROLS, name)
}
