import { afterEach, describe, expect, it } from 'vitest'
import { countNoProgress } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { askModel, CALLS, WAYS } from '#lib/testing/factories/ask-model.ts'
import { REAL_KEY, sampleGatewayOptions } from '#lib/testing/factories/gateway.ts'
import type { CallRecord } from './call-record.ts'
import { startModelServer } from './model-server.ts'
import { type Gateway, startGateway } from './start-gateway.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Done = { id: string; input: object; failed: boolean }

/**
 * Messages that an agent adds to a conversation after it has run a tool, as real agents of each protocol write them.
 */
const ADDED: Record<Protocol, (done: Done) => object[]> = {
  anthropic: ({ id, input, failed }) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'edit', input }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: id, content: 'x', ...(failed && { is_error: true }) },
      ],
    },
  ],
  'openai-responses': ({ id, input, failed }) => [
    { type: 'function_call', call_id: id, name: 'edit', arguments: JSON.stringify(input) },
    {
      type: 'function_call_output',
      call_id: id,
      output: 'x',
      status: failed ? 'incomplete' : 'completed',
    },
  ],
  'openai-chat': ({ id, input }) => [
    {
      role: 'assistant',
      tool_calls: [
        { id, type: 'function', function: { name: 'edit', arguments: JSON.stringify(input) } },
      ],
    },
    { role: 'tool', tool_call_id: id, content: 'x' },
  ],
  gemini: ({ id, input, failed }) => [
    { role: 'model', parts: [{ functionCall: { name: 'edit', args: input } }] },
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            id,
            name: 'edit',
            response: failed ? { error: 'x' } : { output: 'x' },
          },
        },
      ],
    },
  ],
}

const LISTS = {
  anthropic: 'messages',
  'openai-responses': 'input',
  'openai-chat': 'messages',
  gemini: 'contents',
} as const

/** Long enough to be streamed in fragments. */
const input = (path: string) => ({ path, text: 'a secret of the conversation '.repeat(9) })
const failing = ['a', 'b', 'c', 'd'].map((path) => ({ input: input(path), failed: true }))
const repeated = Array.from({ length: 3 }, () => ({ input: input('e'), failed: false }))
const STORY = [...failing, ...repeated]

/** Plays the story as an agent would: each request contains the conversation so far. */
async function play(gateway: Gateway, protocol: Protocol, stream: boolean): Promise<CallRecord[]> {
  const heard: CallRecord[] = []
  gateway.onCall((call) => heard.push(call))
  const body: Record<string, unknown> = { ...CALLS[protocol](stream).body }
  for (let turn = 0; turn <= STORY.length; turn++) {
    const request = await askModel(gateway, protocol, stream, { body: JSON.stringify(body) })
    expect([request.status, (await request.text()).length > 0]).toEqual([200, true])
    while (gateway.report().requests.inFlight > 0) await new Promise((done) => setImmediate(done))
    const told = STORY[turn]
    const id = heard.at(-1)?.toolAsks[0]?.id ?? ''
    if (!told) break
    expect(id).not.toBe('')
    const before = body[LISTS[protocol]] as object[]
    body[LISTS[protocol]] = [...before, ...ADDED[protocol]({ id, ...told })]
  }
  return heard
}

/** Fields that each protocol supports. */
const TOLD: Record<Protocol, { failure: true | null; success: false | null; signals: string[] }> = {
  anthropic: { failure: true, success: false, signals: ['failing-calls', 'identical-calls'] },
  'openai-responses': { failure: true, success: null, signals: ['failing-calls'] },
  'openai-chat': { failure: null, success: null, signals: [] },
  gemini: { failure: true, success: false, signals: ['failing-calls', 'identical-calls'] },
}

describe('the tool calls of an attempt', () => {
  it.each(WAYS)(
    '$protocol, streamed $stream: known by fingerprint, their outcome from the next request',
    async ({ protocol, stream }) => {
      const turns = STORY.map((one) => ({ call: { tool: 'edit', input: one.input } }))
      const model = await startModelServer({ turns }, { key: REAL_KEY, port: 0 })
      const gateway = await startGateway(sampleGatewayOptions(model.url))
      closing.push(gateway.close, model.close)
      const heard = await play(gateway, protocol, stream)
      expect(model.problems).toEqual([])

      const { failure, success, signals } = TOLD[protocol]
      const steps = gateway.toolSteps()
      expect(steps.map((calls) => calls.map(({ failed }) => failed))).toEqual([
        ...failing.map(() => [failure]),
        ...repeated.map(() => [success]),
        [],
      ])
      const prints = steps.flat().map(({ fingerprint }) => fingerprint)
      expect(new Set(prints.slice(0, 5)).size).toBe(5)
      expect(new Set(prints.slice(4)).size).toBe(1)
      expect(prints).not.toContain(null)
      expect(JSON.stringify([steps, heard, gateway.report()])).not.toContain('a secret')

      const seen = countNoProgress(steps.map((calls) => ({ calls, workspaceChanged: null })))
      expect(seen).toEqual(signals.map((signal) => ({ signal, count: 1 })))
    },
  )
})
