import { at } from '../meter/json-value.ts'
import type { Protocol } from '../protocol.ts'

/** A number = every call is sent with it; 'provider-fixed' = the model takes none; null = the agent's own choice. */
export type TemperaturePin = number | 'provider-fixed' | null

export type TemperatureSent = {
  asked: number | null
  /** What really went out; null = none, so the provider's default. */
  sent: number | null
  /** 'reasoning' = left alone, because the provider refuses a temperature while it reasons. */
  why: 'pinned' | 'reasoning' | 'provider-fixed' | 'not-pinned'
}

/** Where a request keeps its temperature; Gemini reads both ways of writing the member around it. */
export function temperaturePath(protocol: Protocol, body: unknown): readonly string[] {
  if (protocol !== 'gemini') return ['temperature']
  const isSnake = at(body, 'generation_config') !== undefined
  return [isSnake ? 'generation_config' : 'generationConfig', 'temperature']
}

/** Decides what temperature a request goes out with. */
export function pinTemperature(
  protocol: Protocol,
  body: unknown,
  pin: TemperaturePin,
): TemperatureSent {
  const found = at(body, ...temperaturePath(protocol, body))
  const asked = typeof found === 'number' ? found : null
  if (pin === null) return { asked, sent: asked, why: 'not-pinned' }
  if (pin === 'provider-fixed') return { asked, sent: asked, why: 'provider-fixed' }
  if (isReasoning(protocol, body)) return { asked, sent: asked, why: 'reasoning' }
  return { asked, sent: pin, why: 'pinned' }
}

/** By the providers' documented rules; Gemini takes a temperature with its thinking. */
function isReasoning(protocol: Protocol, body: unknown): boolean {
  const thinking = at(body, 'thinking', 'type')
  switch (protocol) {
    case 'gemini':
      return false
    case 'anthropic':
      return thinking === 'enabled' || thinking === 'adaptive'
    case 'openai-responses':
      return isOn(at(body, 'reasoning')) && at(body, 'reasoning', 'effort') !== 'none'
    case 'openai-chat':
      return (
        (isOn(at(body, 'reasoning_effort')) && at(body, 'reasoning_effort') !== 'none') ||
        (isOn(at(body, 'reasoning')) && at(body, 'reasoning', 'enabled') !== false) ||
        thinking === 'enabled' ||
        at(body, 'enable_thinking') === true
      )
  }
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}
