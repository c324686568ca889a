import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findContradictions } from '#lib/domain/record/find-contradictions.ts'
import { expandPlan } from '#lib/domain/record/index.ts'
import { sampleEpisode, samplePlan } from '#lib/testing/factories/samples.ts'
import { closeInterrupted } from './close-interrupted.ts'
import { Journal } from './journal.ts'
import { runEpisode } from './run-episode.ts'
import { RunFolder } from './run-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-clock-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const plan = samplePlan()
const [slot] = expandPlan(plan)
if (!slot) throw new Error('the sample plan has no slot')
const { environment } = sampleEpisode({}, plan)
const START = Date.parse('2026-11-27T10:00:00.000Z')

/** A wall clock that is set when it is read the second time, with a monotonic clock that continues. */
function clockSetTo(offsetMs: number) {
  let requestedAt = 0
  let passed = 0
  return {
    now: () => new Date(START + (requestedAt++ === 0 ? 0 : offsetMs)).toISOString(),
    monotonicMs: () => {
      passed += 1500
      return passed
    },
  }
}

function request(name: string) {
  const attemptFolder = join(root, name)
  const identity = { runId: 'run_clock0001', plan, slot, attempt: 1, previousAttempt: null }
  const place = { temporaryFolder: root, folderName: null, runMark: 'mark', registrations: [] }
  return { ...identity, ...place, attemptFolder, task: {} } as unknown as Parameters<
    typeof runEpisode
  >[0]
}

it.each([
  ['back by two hours', -2 * 3_600_000],
  ['back by a year', -365 * 86_400_000],
  ['forward by two hours', 2 * 3_600_000],
])('an attempt ends after it began when the clock is set %s', async (name, offset) => {
  const adapter = {
    mode: 'live' as const,
    secrets: [],
    enter: async () => {
      throw new Error('no place')
    },
    open: async () => {},
    close: async () => {},
  }
  const episode = await runEpisode(request(name), {
    adapter,
    environment,
    clock: clockSetTo(offset),
    onPhase: () => {},
    signal: new AbortController().signal,
  } as Parameters<typeof runEpisode>[1])
  const took = episode.effort.wall.totalMs
  expect(took).toBeGreaterThan(1000)
  expect(Date.parse(episode.startedAt)).toBe(START)
  expect(Date.parse(episode.endedAt)).toBe(START + Math.max(took, offset))
})

it('an attempt that is closed after a kill does, too', async () => {
  const folder = new RunFolder(join(root, 'killed'))
  mkdirSync(folder.episodesPath, { recursive: true })
  const journal = new Journal(folder.journalPath)
  const named = { taskId: slot.taskId, repetition: slot.repetition, attempt: 1 }
  journal.append({ at: new Date(START).toISOString(), event: 'attempt-started', ...named })
  const clock = { now: () => new Date(START - 3_600_000).toISOString(), monotonicMs: () => 0 }
  const about = { folder, journal, plan, runId: 'run_clock0001', environment, clock }
  const [sealed] = await closeInterrupted({ ...about, adapter: { mode: 'live' } })
  expect(sealed).toMatchObject({ startedAt: sealed?.endedAt, effort: { wall: { totalMs: 0 } } })
  expect(sealed && findContradictions(sealed)).toEqual([])
})
