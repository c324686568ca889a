import { afterEach, describe, expect, it } from 'vitest'
import { PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
import { askModel, CALLS, WAYS } from '#lib/testing/factories/ask-model.ts'
import { AnswerMeter } from './answer-meter.ts'
import { type ModelScript, modelScriptSchema } from './model-script.ts'
import { type ModelServer, startModelServer } from './model-server.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(script: ModelScript, key: string | null = null): Promise<ModelServer> {
  const server = await startModelServer(modelScriptSchema.parse(script), { key, port: 0 })
  closing.push(server.close)
  return server
}

function ask(server: ModelServer, protocol: Protocol, body: object, stream = false, key = 'k') {
  return askModel({ url: () => server.url, dummyKey: key }, protocol, stream, {
    body: JSON.stringify(body),
  })
}

async function read(protocol: Protocol, response: Response) {
  const type = response.headers.get('content-type') ?? ''
  const meter = new AnswerMeter(protocol, { type, encoding: '' })
  await meter.write(Buffer.from(await response.arrayBuffer()))
  return await meter.end()
}

const ANSWERED: Record<Protocol, object> = {
  anthropic: {
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'edit', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
    ],
  },
  'openai-responses': {
    input: [
      { role: 'user', content: 'hello' },
      { type: 'reasoning', id: 'r' },
      { type: 'function_call', call_id: 't1', name: 'edit', arguments: '{}' },
      { type: 'function_call_output', call_id: 't1', output: 'ok' },
    ],
  },
  'openai-chat': {
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', tool_calls: [{ id: 't1', function: { name: 'edit' } }] },
      { role: 'tool', tool_call_id: 't1', content: 'ok' },
    ],
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'hello' }] },
      { role: 'model', parts: [{ functionCall: { name: 'edit', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'edit', response: {} } }] },
    ],
  },
}

const TWO: ModelScript = {
  turns: [
    {
      call: [
        { tool: 'Edit', input: { a: 1 } },
        { tool: 'edit', input: { b: 2 } },
      ],
    },
    { say: 'all done' },
  ],
}

describe('a model that plays a script', () => {
  it.each(WAYS)(
    'goes on with the conversation in $protocol, streamed $stream',
    async ({ protocol, stream }) => {
      const server = await serve(TWO)
      const { body } = CALLS[protocol](stream)
      const first = await ask(server, protocol, body, stream)
      expect(await read(protocol, first)).toMatchObject({ toolCalls: ['edit'], complete: true })
      const second = await ask(server, protocol, { ...body, ...ANSWERED[protocol] }, stream)
      expect(await second.clone().text()).toContain('all done')
      expect(await read(protocol, second)).toMatchObject({ toolCalls: [], complete: true })
      expect(server.problems).toEqual([])
    },
  )

  it.each(PROTOCOLS)('refuses what a provider refuses: %s', async (protocol) => {
    const server = await serve(TWO, 'right')
    const { body } = CALLS[protocol](false)
    const status = async (changed: object, key = 'right') =>
      (await ask(server, protocol, changed, false, key)).status
    expect(await status(body, 'wrong')).toBe(401)
    expect(await status({})).toBe(400)
    const orphaned = JSON.parse(JSON.stringify({ ...body, ...ANSWERED[protocol] }))
    const items = orphaned.messages ?? orphaned.input ?? orphaned.contents
    expect(await status({ ...orphaned, [nameOf(orphaned, items)]: items.slice(0, -1) })).toBe(400)
    expect(await status(body)).toBe(200)
  })

  it('reports when no offered tool fits', async () => {
    const server = await serve({ turns: [{ call: { tool: 'write', input: {} } }] })
    const response = await ask(server, 'openai-chat', CALLS['openai-chat'](false).body)
    expect(response.status).toBe(400)
    expect(server.problems).toEqual(['turn 1 of the script calls write; offered are edit'])
  })

  it('answers a request without tools aside, and says done past its end', async () => {
    const server = await serve({ ...TWO, aside: { say: 'a title' } })
    const bare = { model: 'm', messages: [{ role: 'user', content: 'title?' }] }
    expect(await (await ask(server, 'openai-chat', bare)).text()).toContain('a title')
    const data = { role: 'assistant', content: 'x' }
    const user = { role: 'user', content: 'y' }
    const messages = [user, data, user, data, user, data, user]
    const later = { ...CALLS['openai-chat'](false).body, messages }
    expect(await (await ask(server, 'openai-chat', later)).text()).toContain('Done.')
  })

  it('plays errors, lengths, refusals and cuts', async () => {
    const { body } = CALLS['openai-chat'](true)
    const failing = await serve({
      turns: [{ say: 'x', errors: [{ status: 503, retryAfterSeconds: 2 }] }],
    })
    const error = await ask(failing, 'openai-chat', body, true)
    expect([error.status, error.headers.get('retry-after')]).toEqual([503, '2'])
    expect((await ask(failing, 'openai-chat', body, true)).status).toBe(200)
    for (const [stop, expected] of [
      ['length', { stopReason: 'incomplete:max_output_tokens' }],
      ['refusal', { refused: true }],
    ] as const) {
      const server = await serve({ turns: [{ say: 'x', stop }] })
      const response = await ask(
        server,
        'openai-responses',
        CALLS['openai-responses'](true).body,
        true,
      )
      expect(await read('openai-responses', response)).toMatchObject(expected)
    }
    const cut = await serve({ turns: [{ say: 'x', cutAfterEvents: 2 }] })
    await expect((await ask(cut, 'openai-chat', body, true)).text()).rejects.toThrow()
  })
})

function nameOf(body: Record<string, unknown>, value: unknown): string {
  return Object.keys(body).find((name) => body[name] === value) ?? ''
}
