import { expect, it } from 'vitest'
import {
  LoadMeter,
  type LoadSample,
  parseMachineTicks,
  parseOwnTicks,
  parsePressure,
  parseSchedule,
} from './watch-load.ts'

it('reads what the kernel writes', () => {
  expect(parseMachineTicks('cpu  10 5 20 100 7 1 2 3 0 0\ncpu0 1 1\n')).toEqual({
    busy: 41,
    steal: 3,
    total: 148,
  })
  expect(parseMachineTicks('nothing')).toBeNull()
  expect(parsePressure('some avg10=1.00 avg60=0.50 avg300=0.10 total=12345\nfull total=1\n')).toBe(
    12345,
  )
  expect(parsePressure('')).toBeNull()
  expect(parseSchedule('1500 300 12\n')).toEqual({ ranNs: 1500, waitedNs: 300 })
  expect(parseSchedule('')).toBeNull()
  expect(parseOwnTicks('7 (a ) b) S 1 1 1 0 -1 0 0 0 0 0 30 12 0 0')).toBe(42)
  expect(parseOwnTicks('')).toBeNull()
})

type Row = [identity: string, ticks: number, ranMs: number, waitedMs: number]

/** A machine of two CPUs with a hundred ticks per second each. */
function sample(seconds: number, busy: number, rows: readonly Row[]): LoadSample {
  const total = seconds * 200
  return {
    atMs: seconds * 1000,
    machine: { busy, steal: 0, total },
    pressureUs: seconds * 250_000,
    processes: new Map(
      rows.map(([identity, ticks, ranMs, waitedMs]) => [
        identity,
        { ticks, ranNs: ranMs * 1e6, waitedNs: waitedMs * 1e6 },
      ]),
    ),
  }
}

it('counts waits as lost only while others used the machine', () => {
  const meter = new LoadMeter()
  meter.add(sample(0, 0, [['browser', 500, 9000, 9000]]))
  // The browser worked alone: its own processes waited for each other.
  meter.add(sample(1, 150, [['browser', 640, 9900, 9400]]))
  expect(meter.lostMs()).toBe(0)
  // Then other programs came: a library was started, and got a tenth of the CPU it wanted.
  meter.add(
    sample(2, 350, [
      ['browser', 650, 9950, 9700],
      ['library', 5, 50, 500],
    ]),
  )
  expect(meter.lostMs()).toBe(800)
  expect(meter.report(4.2, 2)).toEqual({
    cpus: 2,
    wallMs: 2000,
    load1: 4.2,
    stealShare: 0,
    othersShare: 0.488,
    pressureShare: 0.25,
    wantedMs: 2200,
    waitedMs: 1200,
    lostMs: 800,
    state: 'busy',
  })
})

it('knows the load average alone where there is no /proc', () => {
  const meter = new LoadMeter()
  const blank = { machine: null, pressureUs: null, processes: new Map() }
  meter.add({ atMs: 0, ...blank })
  meter.add({ atMs: 1000, ...blank })
  expect(meter.report(9, 2)).toMatchObject({ othersShare: null, waitedMs: null, state: 'busy' })
})
