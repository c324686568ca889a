import { expect, it } from 'vitest'
import { steps } from '#lib/testing/cases/transcripts/said.ts'
import { cutStep } from './cut-step.ts'

it('cuts each text of a step at whole characters, and counts what it left out', () => {
  const [step] = steps({
    text: 'ab🙂d',
    reasoning: 'abc',
    toolResult: { callId: null, text: 'abcd' },
  })
  if (!step) throw new Error('no step')
  const cut = cutStep(step, 3)
  expect(cut).toMatchObject({ text: 'ab', reasoning: 'abc', toolResult: { text: 'abc' } })
  expect(cut.cutChars).toBe(4)
})
