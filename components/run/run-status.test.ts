import { expect, it } from 'vitest'
import { progressText, restOf } from './run-status.tsx'

const run = { sealed: 0, planned: 0, owed: 0, solved: 0, voids: 0, voidAttempts: 0, cancelled: 0 }

it.each([
  [{ ...run, status: 'queued' as const }, 'queued'],
  [{ ...run, status: 'queued' as const, owed: 25 }, '0/25 finished, 0 solved'],
  [
    { ...run, status: 'running' as const, owed: 25, sealed: 12, solved: 10 },
    '12/25 finished, 10 solved',
  ],
  [
    {
      ...run,
      status: 'done' as const,
      owed: 25,
      sealed: 25,
      solved: 20,
      voids: 1,
      voidAttempts: 3,
    },
    '25/25 finished, 20 solved, 1 excluded, 2 excluded attempts retried',
  ],
  [
    { ...run, status: 'incomplete' as const, owed: 25, sealed: 25, solved: 20, cancelled: 2 },
    '23/25 finished, 20 solved',
  ],
])('%j', (state, text) => {
  expect(progressText(state)).toBe(text)
})

it.each([
  ['running', 4, 4, 1, 'pending'],
  ['done', 4, 4, 4, null],
  ['incomplete', 4, 4, 3, 'missing'],
  ['done', 10, 4, 4, 'not needed'],
  ['incomplete', 10, 4, 3, 'missing'],
] as const)(
  '%s: of %i planned, %i expected and %i finished the rest is %s',
  (status, planned, owed, sealed, rest) => {
    expect(restOf({ status, planned, owed, sealed, cancelled: 0 })).toBe(rest)
  },
)
