import { expect, it } from 'vitest'
import { decideLoad, formatLoad } from './machine-load.ts'

const QUIET = {
  cpus: 2,
  wallMs: 2000,
  load1: 0.4,
  stealShare: 0,
  othersShare: 0.1,
  pressureShare: 0.05,
  wantedMs: 1500,
  waitedMs: 150,
  lostMs: 0,
}

it.each([
  ['a quiet machine', {}, 'free'],
  ['waits for half of the time', { waitedMs: 750 }, 'busy'],
  ['ten times as slow because of others', { waitedMs: 1400, othersShare: 0.9 }, 'starved'],
  ['ten times as slow by its own processes', { waitedMs: 1400, othersShare: 0.2 }, 'busy'],
  ['ten times as slow, and nobody knows by whom', { waitedMs: 1400, othersShare: null }, 'busy'],
  ['hardly any work at all', { wantedMs: 100, waitedMs: 99, othersShare: 1 }, 'free'],
  ['a load average alone', { wantedMs: null, waitedMs: null, load1: 20 }, 'busy'],
  ['a low load average alone', { wantedMs: null, waitedMs: null, load1: 3 }, 'free'],
  ['nothing known', { wantedMs: null, waitedMs: null, load1: null }, 'free'],
] as const)('%s is %s', (_, seen, state) => {
  expect(decideLoad({ ...QUIET, ...seen })).toBe(state)
})

it('says what was seen, and nothing of what is unknown', () => {
  expect(formatLoad({ ...QUIET, state: 'free' })).toBe(
    'waited 10 % of the time it wanted a CPU, other programs used 10 % of 2 CPUs, load 0.4',
  )
  const unknown = { wantedMs: null, waitedMs: null, othersShare: null, stealShare: null }
  expect(formatLoad({ ...QUIET, ...unknown, state: 'free' })).toBe('load 0.4')
})
