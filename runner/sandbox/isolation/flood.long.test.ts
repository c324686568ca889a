import { expect, it } from 'vitest'
import { findProcesses, SandboxedAttempt } from '#lib/testing/chaos/sandboxed-attempt.ts'
import { flood } from '#lib/testing/chaos/test-isolation.ts'
import { bubblewrap } from './bubblewrap.ts'

const GIB = 2 ** 30

it('bubblewrap keeps the head of a gigabyte of output in little memory', async ({ skip }) => {
  const missing = await bubblewrap.available()
  if (missing !== null) return skip(`SKIPPED, ${missing}`)
  const attempt = new SandboxedAttempt(bubblewrap)
  await flood(attempt, GIB)
  expect(findProcesses(attempt.mark)).toEqual([])
  attempt.remove()
})
