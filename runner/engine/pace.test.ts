import { expect, it } from 'vitest'
import type { Episode } from '#lib/domain/record/index.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import { Pace } from './pace.ts'

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

const limited = (retryAt: string): Episode => ({
  ...solved,
  outcome: { status: 'void', fault: 'provider', cause: 'rate-limited', reason: 'limit', retryAt },
})

it('waits until the time that the provider names, and says so once', async () => {
  const pauses: string[] = []
  const pace = new Pace(2, ({ until }) => pauses.push(until))
  const { signal } = new AbortController()
  const until = new Date(Date.now() + 400).toISOString()
  await pace.run(async () => limited(until), signal)
  await pace.run(async () => solved, signal)
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until))
  expect(pauses).toEqual([until])
})

it('takes up a pause of an earlier part of the run, and none that is over', async () => {
  const pauses: string[] = []
  const { signal } = new AbortController()
  const pace = new Pace(2, ({ until }) => pauses.push(until))
  const until = new Date(Date.now() + 300).toISOString()
  pace.resume([limited('2026-01-01T00:00:00.000Z'), limited(until)], signal)
  await pace.run(async () => solved, signal)
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until))
  expect(pauses).toEqual([until])
})

it('ends a pause when the run is stopped', async () => {
  const stop = new AbortController()
  const pace = new Pace(1)
  pace.resume([limited(new Date(Date.now() + 3_600_000).toISOString())], stop.signal)
  const waiting = pace.run(async () => solved, stop.signal)
  stop.abort()
  await expect(waiting).resolves.toBe(solved)
})
