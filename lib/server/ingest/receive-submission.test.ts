import { setImmediate as breathe } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { withSubmissionMutex } from './receive-submission.ts'

/** Creates work that ends on request. */
function makeWork() {
  let end: (error?: Error) => void = () => {}
  let hasBegun = false
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve())
  })
  const work = async () => {
    hasBegun = true
    await ended
  }
  return { work, end: (error?: Error) => end(error), hasBegun: () => hasBegun }
}

it('lets two work at a time, the next ones in their order, and sends away who would wait too long', async () => {
  const all = Array.from({ length: 22 }, makeWork)
  const turns = all.map(({ work }) =>
    withSubmissionMutex(work).catch((error: Error) => error.message),
  )
  const begun = () => all.filter(({ hasBegun }) => hasBegun()).length
  await breathe()
  expect(begun()).toBe(2)
  await expect(withSubmissionMutex(async () => 'late')).rejects.toMatchObject({
    code: 'too-many-requests',
    retryAfterMs: 15_000,
  })
  all[1]?.end(new Error('it failed'))
  await breathe()
  expect([begun(), all[2]?.hasBegun(), all[3]?.hasBegun()]).toEqual([3, true, false])
  expect(await turns[1]).toBe('it failed')
  for (const { end } of all) end()
  await Promise.all(turns)
  expect(begun()).toBe(22)
  expect(await withSubmissionMutex(async () => 'free again')).toBe('free again')
})
