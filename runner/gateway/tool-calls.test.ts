import { describe, expect, it } from 'vitest'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { RequestedTools, readToolResults, ToolTrail } from './tool-calls.ts'

function printOf(name: string, value: unknown, pieces: readonly string[] = []): string | null {
  const tools = new RequestedTools()
  tools.begin('k', { id: 'x', name, value })
  for (const piece of pieces) tools.add('k', piece)
  return tools.list()[0]?.fingerprint ?? null
}

describe('the fingerprint of a tool call', () => {
  it('is the same for the same arguments, however they were written', () => {
    const print = printOf('edit', { path: 'a', text: 'b' })
    expect(printOf('edit', '{ "text": "b", "path": "a" }')).toBe(print)
    expect(printOf('edit', {}, ['{"path":"a",', '"text":"b"}'])).toBe(print)
    expect(printOf('edit', {})).toBe(printOf('edit', ''))
  })

  it('is another one for another tool, other arguments, other text', () => {
    const prints = [
      printOf('edit', { a: 1 }),
      printOf('read', { a: 1 }),
      printOf('edit', { a: 2 }),
      printOf('edit', '{"a":1'),
      printOf('edit', 'a plain text'),
      printOf('edit', {}),
    ]
    expect(new Set(prints).size).toBe(prints.length)
  })

  it('stores nothing of the arguments', () => {
    expect(printOf('edit', 'my secret')).toMatch(/^[\w-]{43}$/)
  })

  it('is not known where the arguments are not', () => {
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))
    const piece = 'x'.repeat(3 << 20)
    expect(printOf('edit', undefined)).toBeNull()
    expect(printOf('edit', deep)).toBeNull()
    expect(printOf('edit', {}, [piece, piece, piece])).toBeNull()
  })

  it('takes a call of one key once, and no fragment without a call', () => {
    const tools = new RequestedTools()
    tools.add('k', 'lost')
    tools.begin('k', { id: 'x', name: 'edit', value: {} })
    tools.begin('k', { id: 'y', name: 'edit', value: {} })
    expect(tools.list()).toEqual([{ id: 'x', name: 'edit', fingerprint: printOf('edit', {}) }])
  })
})

const ask = (id: string | null, name = 'edit') => ({ id, name, fingerprint: `print of ${name}` })
const failures = (trail: ToolTrail) =>
  trail.steps().map((calls) => calls.map(({ failed }) => failed))
const item = (type: string, rest: object) => ({ input: [{ type, call_id: 'c', ...rest }] })
const shell = (...outcomes: object[]) =>
  item('shell_call_output', { output: outcomes.map((outcome) => ({ stdout: '', outcome })) })
const block = (rest: object) => ({
  messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', ...rest }] }],
})
const result = (response: unknown, rest: object = {}) => ({
  contents: [
    { role: 'model', parts: [{ functionCall: { name: 'edit' } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'edit', response, ...rest } }] },
  ],
})

describe('what a request reports of a tool call', () => {
  it.each<[string, Protocol, object, (boolean | null)[]]>([
    ['a plain result', 'anthropic', block({ content: 'ok' }), [false]],
    ['no error', 'anthropic', block({ is_error: false }), [false]],
    ['an error', 'anthropic', block({ is_error: true }), [true]],
    [
      'an error of a tool of the provider',
      'anthropic',
      block({ type: 'web_search_tool_result', content: { type: 'web_search_tool_result_error' } }),
      [true],
    ],
    ['a message without results', 'anthropic', { messages: [{ content: 'is_error' }] }, []],
    ['an output', 'openai-responses', item('function_call_output', { output: 'Error' }), [null]],
    [
      'a whole item',
      'openai-responses',
      item('function_call_output', { status: 'completed' }),
      [null],
    ],
    [
      'a cut item',
      'openai-responses',
      item('function_call_output', { status: 'incomplete' }),
      [true],
    ],
    [
      'a patch',
      'openai-responses',
      item('apply_patch_call_output', { status: 'completed' }),
      [false],
    ],
    [
      'a bad patch',
      'openai-responses',
      item('apply_patch_call_output', { status: 'failed' }),
      [true],
    ],
    ['a shell', 'openai-responses', shell({ type: 'exit', exit_code: 0 }), [false]],
    ['a failed shell', 'openai-responses', shell({ exit_code: 0 }, { exit_code: 2 }), [true]],
    ['a slow shell', 'openai-responses', shell({ type: 'timeout' }), [true]],
    ['a silent shell', 'openai-responses', shell({}), [null]],
    ['a call', 'openai-responses', item('function_call', { status: 'completed' }), []],
    ['a tool message', 'openai-chat', { messages: [{ role: 'tool', tool_call_id: 'c' }] }, []],
    ['an output', 'gemini', result({ output: 'no error' }), [false]],
    ['an error', 'gemini', result({ error: 'no such file' }), [true]],
    ['an empty error', 'gemini', result({ output: 'x', error: null }), [false]],
    ['nonsense', 'gemini', { contents: { parts: 7 } }, []],
  ])('%s (%s)', (_what, protocol, body, expected) => {
    expect(readToolResults(protocol, body).map(({ failed }) => failed)).toEqual(expected)
  })
})

describe('the trail of tool calls', () => {
  it('ties results to calls by id, in any request', () => {
    const trail = new ToolTrail()
    trail.add([ask('a'), ask('c')])
    trail.add([ask('d')])
    trail.receive('anthropic', block({ is_error: true }))
    expect(failures(trail)).toEqual([[null, true], [null]])
  })

  it('keeps what was said first, and takes a result that comes before its step was written down', () => {
    const trail = new ToolTrail()
    trail.receive('anthropic', block({ is_error: true }))
    trail.add([ask('c')])
    trail.receive('anthropic', block({}))
    expect(failures(trail)).toEqual([[true]])
  })

  it('ties a call without an id to the result in its place', () => {
    const trail = new ToolTrail()
    trail.add([ask(null)])
    trail.receive('gemini', result({ error: 'x' }, { id: 'made up by the agent' }))
    trail.receive('gemini', result({ output: 'told again, otherwise' }))
    expect(failures(trail)).toEqual([[true]])
  })

  it('leaves it unknown when the place does not fit', () => {
    const trail = new ToolTrail()
    trail.add([ask(null), ask(null, 'read')])
    trail.receive('gemini', result({ error: 'x' }))
    trail.add([ask(null, 'read')])
    trail.receive('gemini', result({ error: 'x' }))
    expect(failures(trail)).toEqual([[null, null], [null]])
  })
})
