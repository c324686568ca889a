import { expect, it } from 'vitest'
import type { Episode } from '#lib/domain/record/index.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import { Pace } from './slots.ts'

const stopped = AbortSignal.abort()
const solved = sampleEpisode()
const troubled: Episode = {
  ...solved,
  outcome: { status: 'void', fault: 'provider', reason: 'rate limit' },
}

/** Attempts that end on request, and the number of active ones. */
function attempts(pace: Pace, count: number) {
  const ends: ((episode: Episode) => void)[] = []
  const all = Array.from({ length: count }, () =>
    pace.run(() => new Promise<Episode>((end) => ends.push(end)), stopped),
  )
  const settle = () => new Promise((done) => setImmediate(done))
  return { ends, all, settle }
}

it('lets as many work as it was given', async () => {
  const { ends, all, settle } = attempts(new Pace(2), 3)
  await settle()
  expect(ends).toHaveLength(2)
  ends[0]?.(solved)
  await all[0]
  await settle()
  expect(ends).toHaveLength(3)
  for (const end of ends) end(solved)
  await Promise.all(all)
})

it('halves the slots when the provider fails and restores them one by one', async () => {
  const pace = new Pace(4)
  const one = (episode: Episode) => pace.run(async () => episode, stopped)
  await one(troubled)
  expect(pace.places).toBe(2)
  await one(troubled)
  await one(troubled)
  expect(pace.places).toBe(1)
  await one(solved)
  expect(pace.places).toBe(2)
  await one(solved)
  await one(solved)
  expect(pace.places).toBe(3)
  for (let calm = 0; calm < 20; calm++) await one(solved)
  expect(pace.places).toBe(4)
})

it('reacts only to failures of the provider', async () => {
  const pace = new Pace(4)
  const other: Episode = {
    ...solved,
    outcome: { status: 'void', fault: 'harness', reason: 'x' },
  }
  await pace.run(async () => other, stopped)
  expect(pace.places).toBe(4)
})

it('gives the place back when an attempt throws', async () => {
  const pace = new Pace(1)
  await expect(pace.run(() => Promise.reject(new Error('disk')), stopped)).rejects.toThrow('disk')
  await expect(pace.run(async () => solved, stopped)).resolves.toBe(solved)
})
