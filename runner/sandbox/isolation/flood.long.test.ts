import { expect, it } from 'vitest'
import { findProcesses, SandboxedAttempt } from '#lib/testing/chaos/sandboxed-attempt.ts'
import { flood } from '#lib/testing/chaos/test-isolation.ts'
import { bubblewrap } from './bubblewrap.ts'

const GIB = 2 ** 30

it('bubblewrap keeps the head of a gigabyte of output in little memory', {
  tags: 'bubblewrap',
}, async () => {
  const attempt = new SandboxedAttempt(bubblewrap)
  await flood(attempt, GIB)
  expect(findProcesses(attempt.mark)).toEqual([])
  attempt.remove()
})
