import { expect, it } from 'vitest'
import { parseScript } from './model-script.ts'

it('takes a list of turns or a whole script', () => {
  const turns = [{ call: { tool: 'read', input: { path: 'a' } } }, { say: 'done' }]
  expect(parseScript(JSON.stringify(turns))).toEqual({ ok: true, value: { turns } })
  expect(parseScript(JSON.stringify({ model: 'm', turns }))).toEqual({
    ok: true,
    value: { model: 'm', turns },
  })
})

it.each([
  ['{', 'the script is not JSON'],
  ['{"turns":[]}', 'turns: '],
  ['[{"say":1}]', 'turns.0.say: '],
  ['[{"call":{"tool":"x"}}]', 'turns.0.call'],
])('says in one sentence what is wrong with %s', (text, problem) => {
  expect(parseScript(text)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) })
})
