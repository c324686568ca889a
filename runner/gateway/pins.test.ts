import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
import type { TemperaturePin } from './pins.ts'
import { pinRequest } from './pins.ts'

function pin(protocol: Protocol, text: string, temperature: TemperaturePin) {
  return pinRequest(protocol, text, JSON.parse(text), temperature)
}

describe('pins change one member and no other byte', () => {
  it.each<[string, Protocol, string, TemperaturePin, string, string]>([
    [
      'replaces',
      'openai-chat',
      '{ "b":1,\n\t"temperature" : 0.70, "a":[ ]}',
      0,
      '{ "b":1,\n\t"temperature" : 0, "a":[ ]}',
      'pinned',
    ],
    [
      'keeps what is right',
      'openai-chat',
      '{"temperature":0.0, "x":1}',
      0,
      '{"temperature":0.0, "x":1}',
      'pinned',
    ],
    ['adds', 'anthropic', '{"z":1,"a":2}', 0.5, '{"z":1,"a":2,"temperature": 0.5}', 'pinned'],
    [
      'Gemini, thinking or not',
      'gemini',
      '{"generationConfig":{"temperature":1,"thinkingConfig":{"includeThoughts":true}}}',
      0,
      '{"generationConfig":{"temperature":0,"thinkingConfig":{"includeThoughts":true}}}',
      'pinned',
    ],
    [
      'Gemini in its other spelling',
      'gemini',
      '{"generation_config":{"temperature":1}}',
      0,
      '{"generation_config":{"temperature":0}}',
      'pinned',
    ],
    [
      'leaves thinking alone',
      'anthropic',
      '{"thinking":{"type":"enabled"}}',
      0,
      '{"thinking":{"type":"enabled"}}',
      'reasoning',
    ],
    [
      'leaves adaptive thinking alone',
      'anthropic',
      '{"thinking":{"type":"adaptive"}}',
      0,
      '{"thinking":{"type":"adaptive"}}',
      'reasoning',
    ],
    [
      'leaves reasoning alone',
      'openai-responses',
      '{"reasoning":{"effort":"low"}}',
      0,
      '{"reasoning":{"effort":"low"}}',
      'reasoning',
    ],
    [
      'reasoning that is off',
      'openai-responses',
      '{"reasoning":null}',
      0,
      '{"reasoning":null,"temperature": 0}',
      'pinned',
    ],
    [
      'reasoning effort',
      'openai-chat',
      '{"reasoning_effort":"high"}',
      0,
      '{"reasoning_effort":"high"}',
      'reasoning',
    ],
    [
      'provider-fixed',
      'openai-chat',
      '{"temperature":1}',
      'provider-fixed',
      '{"temperature":1}',
      'provider-fixed',
    ],
    ['no pin', 'openai-chat', '{"temperature":1}', null, '{"temperature":1}', 'not-pinned'],
  ])('%s', (_what, protocol, text, temperature, expected, why) => {
    expect(pin(protocol, text, temperature)).toMatchObject({
      ok: true,
      text: expected,
      temperature: { why },
    })
  })

  it('asks for usage in a streamed Chat request that does not', () => {
    const usage = (text: string) => pin('openai-chat', text, null)
    expect(usage('{"stream":true}')).toMatchObject({
      text: '{"stream":true,"stream_options": {"include_usage":true}}',
      usageAsked: true,
    })
    expect(usage('{"stream":true,"stream_options":{"x":1}}')).toMatchObject({
      text: '{"stream":true,"stream_options":{"x":1,"include_usage": true}}',
    })
    for (const text of [
      '{"stream":false}',
      '{}',
      '{"stream":true,"stream_options":{"include_usage":true}}',
    ])
      expect(usage(text)).toMatchObject({ text, usageAsked: false })
  })

  it('refuses a body that hides a second temperature behind the first', () => {
    expect(pin('openai-chat', '{"temperature":0.3,"temperature":0.9}', 0)).toMatchObject({
      ok: false,
    })
  })

  it('returns the very same text whenever there is nothing to change', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PROTOCOLS),
        fc.json(),
        fc.constantFrom(' ', '\n', ''),
        (protocol, value, space) => {
          const text = `{"x"${space}:${value}${space}}`
          expect(pin(protocol, text, null)).toMatchObject({ text })
        },
      ),
    )
  })

  it('changes nothing but the temperature of any body', () => {
    const name = fc
      .string()
      .filter((one) => !['temperature', 'thinking', '__proto__'].includes(one))
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.jsonValue(), { maxKeys: 5 }),
        fc.boolean(),
        (rest, has) => {
          const body = has ? { temperature: 1, ...rest } : rest
          const text = JSON.stringify(body, null, 2)
          const result = pin('anthropic', text, 0)
          expect(result.ok && JSON.parse(result.text)).toEqual({
            ...JSON.parse(text),
            temperature: 0,
          })
          if (has && result.ok)
            expect(result.text).toBe(text.replace('"temperature": 1', '"temperature": 0'))
        },
      ),
    )
  })
})
