import { expect, it } from 'vitest'
import type { Episode, Outcome } from '#lib/domain/record/index.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import { SlotLedger, WorkWatch } from './slots.ts'

const solved = sampleEpisode()
type Cause = Extract<Outcome, { status: 'void' }>['cause']
const unworked = (cause: Cause): Episode => ({
  ...solved,
  outcome: { status: 'void', fault: 'provider', cause, reason: 'max_tokens is not supported' },
})

it('stops a run after three attempts in a row in which the agent did not come to work', () => {
  const watch = new WorkWatch()
  watch.add(unworked('never-answered'))
  watch.add(unworked('setup-failed'))
  expect(watch.reason).toBeNull()
  watch.add(unworked('never-asked'))
  expect(watch.reason).toContain('max_tokens is not supported')
})

it('goes on while attempts work in between, and at rate limits', () => {
  const watch = new WorkWatch()
  for (const one of [unworked('never-answered'), unworked('never-answered'), solved]) watch.add(one)
  for (let n = 0; n < 9; n++) watch.add(unworked('rate-limited'))
  expect(watch.reason).toBeNull()
})

it('does not repeat an attempt at a task whose own reference fails', () => {
  const slots = new SlotLedger([unworked('reference-fails')], 3)
  expect(slots.isSettled(solved)).toBe(true)
  expect(new SlotLedger([unworked('setup-failed')], 3).isSettled(solved)).toBe(false)
})
