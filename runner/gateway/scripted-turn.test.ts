import { describe, expect, it } from 'vitest'
import { resolveInput } from './scripted-turn.ts'

const REQUEST = {
  messages: [
    { role: 'user', content: 'Press "Save".' },
    { role: 'tool', content: '- button "Save" [ref=e1]\n- button "Back" [ref=e2]' },
    { role: 'tool', content: [{ type: 'text', text: '- button "Save" [disabled] [ref=e9]' }] },
  ],
}
const SAVE = { $match: 'button "Save".*?\\[ref=(\\w+)\\]' }

describe('the input of a scripted call', () => {
  it('takes what it looks up from the last result that has it', () => {
    expect(resolveInput({ target: SAVE, fields: [{ target: SAVE }] }, REQUEST)).toEqual({
      target: 'e9',
      fields: [{ target: 'e9' }],
    })
  })

  it('is left alone without a lookup', () => {
    const input = { a: 1, b: [null, 'x'], c: { $match: 'x', more: true } }
    expect(resolveInput(input, REQUEST)).toEqual(input)
  })

  it('says so when nothing fits', () => {
    expect(() => resolveInput({ $match: 'button "No"' }, REQUEST)).toThrow(
      'nothing in the conversation fits button "No"',
    )
  })
})
