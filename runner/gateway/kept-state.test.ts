import { describe, expect, it } from 'vitest'
import { findForeignState, idsOfAnswer } from './kept-state.ts'

const heard = new Set([
  ...idsOfAnswer({ id: 'resp_1' }),
  ...idsOfAnswer({ id: 'rs_1', container_id: 'cntr_1' }),
  ...idsOfAnswer({ container: { id: 'container_1' } }),
])
const part = (one: object) => ({ messages: [{ role: 'user', content: [one] }] })

describe('what the provider keeps', () => {
  it.each([
    { previous_response_id: 'resp_1' },
    { previous_response_id: null, conversation: null, prompt: null },
    { input: [{ type: 'item_reference', id: 'rs_1' }] },
    { container: 'container_1' },
    { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] },
    { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
    { tools: [{ name: 'read', input_schema: { properties: { file_id: { type: 'string' } } } }] },
    part({ type: 'tool_use', name: 'read_file', input: { type: 'file', file_id: 'mine' } }),
    { contents: [{ parts: [{ functionCall: { args: { fileData: { fileUri: 'x' } } } }] }] },
  ])('of this attempt may be taken up: %j', (body) => {
    expect(findForeignState(body, heard)).toBeNull()
  })

  it.each<[object, string]>([
    [{ previous_response_id: 'resp_2' }, 'previous_response_id'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ conversation: { id: 'conv_1' } }, 'conversation'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
    [{ input: [{ type: 'item_reference', id: 'msg_2' }] }, 'item_reference'],
    [{ container: { id: 'container_2', skills: [] } }, 'container'],
    [{ cachedContent: 'cachedContents/1' }, 'cachedContent'],
    [{ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }, 'a stored file'],
    [{ tools: [{ type: 'code_interpreter', container: { file_ids: ['f'] } }] }, 'a stored file'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
      'a stored file',
    ],
    [part({ type: 'document', source: { type: 'file', file_id: 'f' } }), 'a stored file'],
    [part({ type: 'file', file: { file_id: 'f' } }), 'a stored file'],
    [{ contents: [{ parts: [{ fileData: { fileUri: 'files/1' } }] }] }, 'a stored file'],
  ])('of others may not: %j', (body, what) => {
    expect(findForeignState(body, heard)).toBe(what)
  })
})
