import { expect, it } from 'vitest'
import { readErrors } from './induce-errors.ts'
import { MISTAKES } from './mistakes.ts'

const made = (step: string, error: string | null) => ({
  ...{ step, action: 'click', target: null, startMs: 0, durationMs: 1, error },
})

it('tells of each mistake what was said of it, and whether that helps', () => {
  const trace = MISTAKES.map(({ induced, names }, at) =>
    made(induced, at === 0 ? null : `${names[0]}: not found`),
  )
  const errors = readErrors([made('open', null), ...trace])
  expect(errors?.map(({ induced }) => induced)).toEqual(MISTAKES.map(({ induced }) => induced))
  expect(errors?.[0]).toMatchObject({ message: null, actionable: false })
  expect(errors?.[1]).toMatchObject({ message: '#closed: not found', actionable: true })
})

it('is unknown when not every mistake was made', () => {
  expect(readErrors([made(MISTAKES[0]!.induced, 'gone')])).toBeNull()
})
