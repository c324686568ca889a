import { expect, it } from 'vitest'
import { type Said, steps } from '#lib/testing/cases/transcripts/said.ts'
import { callIdOf, linkCalls } from './call-links.ts'

const calls = (...given: [id: string | null, name: string][]): Said => ({
  toolCalls: given.map(([id, name]) => ({ id, name, arguments: '{}' })),
})
const result = (callId: string | null, thread = 1): Said => ({
  role: 'tool',
  thread,
  toolResult: { callId, text: 'r' },
})
const idsOf = (...data: Said[]) => {
  const all = steps(...data)
  const links = linkCalls(all)
  return all
    .filter(({ toolResult }) => toolResult !== null)
    .map((step) => {
      const link = links.get(step)
      return link ? callIdOf(link) : null
    })
}

it('knows a call by its id, also for a second result', () => {
  const data = [calls(['a', 'x'], ['b', 'x']), result('b'), result('a'), result('a')]
  expect(idsOf(...data)).toEqual(['b', 'a', 'a'])
})

it('knows a call of Gemini, which has no id, by its name, and equal names in their order', () => {
  const data = [calls([null, 'x'], [null, 'y'], [null, 'x']), result('y'), result('x'), result('x')]
  expect(idsOf(...data)).toEqual(['step-1-1', 'step-1-0', 'step-1-2'])
})

it('takes calls without an id in their order where the agent makes up ids', () => {
  const data = [calls([null, 'x'], [null, 'y']), result('x-17'), result('y-18')]
  expect(idsOf(...data)).toEqual(['step-1-0', 'step-1-1'])
})

it('links nothing to another conversation, nor to a call with another id', () => {
  expect(idsOf(calls(['a', 'x']), result('b'), result('a', 2))).toEqual([null, null])
  expect(idsOf(result('a'), calls(['a', 'x']))).toEqual([null])
})
