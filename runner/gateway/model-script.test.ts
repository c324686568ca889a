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
  ['[{"call":{"tool":"x"}}]', 'turns.0.call.input: '],
  ['[{"call":7}]', 'turns.0.call: Invalid input'],
  ['{"turn":[]}', 'the script: unknown key "turn": did you mean turns?'],
  ['{"turns":[{}],"speed":1}', 'the script: unknown key "speed": choose from model, turns, aside'],
  ['[{"text":"x"}]', 'turns.0: unknown key "text": choose from say, reason, '],
  ['[{"call":{"tool":"x","arguments":{}}}]', 'turns.0.call: unknown key "arguments": choose from'],
  ['[{"call":[{"tool":"x","input":{},"id":1}]}]', 'turns.0.call.0: unknown key "id"'],
  ['[{"calls":[{"tool":"x","args":{}}]}]', 'turns.0.calls.0: unknown key "args"'],
  ['[{"usage":{"inputs":1}}]', 'turns.0.usage: unknown key "inputs": did you mean input?'],
  ['[{"errors":[{"status":429,"retryAfter":1}]}]', 'turns.0.errors.0: unknown key "retryAfter"'],
  ['{"turns":[{}],"aside":{"sya":""}}', 'aside: unknown key "sya": did you mean say?'],
])('says in one sentence what is wrong with %s', (text, problem) => {
  expect(parseScript(text)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) })
})
