import { applyEdits, modify } from 'jsonc-parser'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { at, countAt, textAt } from './json-value.ts'

type PinnedRequest =
  | { ok: true; text: string; temperature: TemperatureSent; usageAsked: boolean }
  | { ok: false; reason: string }

/**
 * Returns the request to send: temperature pinned, usage requested if a streamed Chat response would omit it. The text
 * stays unchanged if there is nothing to change. Rejects a text that would not parse as intended (duplicate names).
 * `body` is the text as parsed by `parseRequest`.
 */
export function pinRequest(
  protocol: Protocol,
  text: string,
  body: unknown,
  pin: TemperaturePin,
): PinnedRequest {
  const temperature = pinTemperature(protocol, body, pin)
  const edits: [readonly string[], unknown][] = []
  if (temperature.sent !== temperature.asked)
    edits.push([temperaturePath(protocol, body), temperature.sent ?? undefined])
  const usageAsked = lacksUsage(protocol, body)
  if (usageAsked) edits.push(usageEdit(body))
  const edited = edits.reduce((so, [path, value]) => editMember(so, path, value), text)
  if (edits.length > 0 && !readsAsMeant(edited, edits))
    return { ok: false, reason: 'the request body names a member twice, so it cannot be pinned' }
  return { ok: true, text: edited, temperature, usageAsked }
}

function lacksUsage(protocol: Protocol, body: unknown): boolean {
  return (
    protocol === 'openai-chat' &&
    at(body, 'stream') === true &&
    at(body, 'stream_options', 'include_usage') !== true
  )
}

function usageEdit(body: unknown): [readonly string[], unknown] {
  const options = at(body, 'stream_options')
  return typeof options === 'object' && options !== null
    ? [['stream_options', 'include_usage'], true]
    : [['stream_options'], { include_usage: true }]
}

function readsAsMeant(text: string, edits: readonly [readonly string[], unknown][]): boolean {
  const body = parseJson(text)
  return edits.every(([path, value]) => JSON.stringify(at(body, ...path)) === JSON.stringify(value))
}

/** A number = sent with every call; 'provider-fixed' = the model accepts none; null = the agent's own choice. */
export type TemperaturePin = number | 'provider-fixed' | null

export type TemperatureSent = {
  asked: number | null
  /** The temperature sent; null = none, so the provider's default applies. */
  sent: number | null
  /** 'reasoning' = none is sent, because the provider rejects a temperature with reasoning. */
  why: 'pinned' | 'reasoning' | 'provider-fixed' | 'not-pinned'
}

/** Path of the temperature in a request; Gemini accepts both spellings of the parent member. */
function temperaturePath(protocol: Protocol, body: unknown): readonly string[] {
  if (protocol !== 'gemini') return ['temperature']
  const isSnake = at(body, 'generation_config') !== undefined
  return [isSnake ? 'generation_config' : 'generationConfig', 'temperature']
}

/** Decides which temperature a request is sent with. */
function pinTemperature(protocol: Protocol, body: unknown, pin: TemperaturePin): TemperatureSent {
  const found = at(body, ...temperaturePath(protocol, body))
  const requested = typeof found === 'number' ? found : null
  if (pin === null) return { asked: requested, sent: requested, why: 'not-pinned' }
  if (pin === 'provider-fixed') return { asked: requested, sent: requested, why: 'provider-fixed' }
  if (refusesTemperature(protocol, body, requested))
    return { asked: requested, sent: null, why: 'reasoning' }
  return { asked: requested, sent: pin, why: 'pinned' }
}

/**
 * Follows the providers' documented rules. An agent that sends a temperature with reasoning uses a provider that
 * accepts both, except Anthropic's, which then accepts only its default. Gemini accepts a temperature with thinking.
 */
function refusesTemperature(protocol: Protocol, body: unknown, requested: number | null): boolean {
  const thinks = ['enabled', 'adaptive'].includes(textAt(body, 'thinking', 'type') ?? '')
  if (protocol === 'gemini') return false
  if (protocol === 'anthropic') return thinks
  if (requested !== null) return false
  const effort = textAt(body, 'reasoning_effort') ?? textAt(body, 'reasoning', 'effort')
  const isEffort = effort !== null && effort !== 'none'
  const budget = countAt(body, 'reasoning', 'max_tokens') ?? 0
  return thinks || isEffort || budget > 0 || at(body, 'reasoning', 'enabled') === true
}

/**
 * Sets one member of a JSON text and keeps every other byte: providers cache prompts by their bytes. A reader uses the
 * last of duplicate names, so the caller checks the result.
 */
function editMember(text: string, path: readonly string[], value: unknown): string {
  return applyEdits(text, modify(text, [...path], value, {}))
}
