import { at, parseJson } from '../meter/json-value.ts'
import type { Protocol } from '../protocol.ts'
import { editMember } from './edit-member.ts'
import {
  pinTemperature,
  type TemperaturePin,
  type TemperatureSent,
  temperaturePath,
} from './pin-temperature.ts'

export type PinnedRequest =
  | { ok: true; text: string; temperature: TemperatureSent; usageAsked: boolean }
  | { ok: false; reason: string }

/**
 * The request as it goes out: temperature pinned, usage asked for where a streamed Chat answer would leave it out. With
 * nothing to change the very same text comes back. Refuses a text that would not read back as meant (doubled names).
 */
export function pinRequest(
  protocol: Protocol,
  text: string,
  body: unknown,
  pin: TemperaturePin,
): PinnedRequest {
  const temperature = pinTemperature(protocol, body, pin)
  const edits: [readonly string[], unknown][] = []
  if (temperature.why === 'pinned' && temperature.asked !== temperature.sent)
    edits.push([temperaturePath(protocol, body), temperature.sent])
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
