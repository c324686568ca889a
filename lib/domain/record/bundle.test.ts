import { describe, expect, it } from 'vitest'
import { SAMPLE_RUN_ID, sampleEpisode, samplePlan } from '#lib/testing/factories/sample-record.ts'
import { digestBytes } from '../digest/index.ts'
import { BUNDLE_KIND, type Bundle, mergeBundles } from './bundle.ts'
import { parseBundle } from './parse-bundle.ts'

function sampleBundle(changes: Partial<Bundle> = {}): Bundle {
  const episodes = [sampleEpisode(), sampleEpisode({ repetition: 2 })]
  const [first] = episodes
  const lock = (first as (typeof episodes)[number]).environment
  return {
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId: SAMPLE_RUN_ID,
    plan: samplePlan(),
    lock,
    shard: { index: 1, count: 1 },
    episodes,
    ...changes,
  }
}

function problemsOf(bundle: unknown): string[] {
  const parsed = parseBundle(bundle)
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`)
}

describe('parseBundle', () => {
  it('takes a whole bundle', () => {
    expect(problemsOf(JSON.parse(JSON.stringify(sampleBundle())))).toEqual([])
  })

  it('refuses an edited plan', () => {
    const plan = { ...samplePlan(), repetitions: 5 }
    expect(problemsOf(sampleBundle({ plan }))).toEqual([
      'plan.planDigest: does not match the plan: it was edited after it was frozen',
    ])
  })

  it.each([
    [
      'of another plan',
      sampleEpisode({ planDigest: digestBytes('x') }),
      'episodes.0.planDigest: belongs to another plan',
    ],
    [
      'of another run',
      sampleEpisode({ runId: 'run_other00001' }),
      'episodes.0.runId: belongs to another run',
    ],
    [
      'of another task version',
      sampleEpisode({ taskDigest: digestBytes('x') }),
      'episodes.0.taskDigest: is not the planned version of this task',
    ],
    [
      'beyond the repetitions',
      sampleEpisode({ repetition: 3 }),
      'episodes.0.repetition: is not a repetition of the plan',
    ],
  ])('refuses an episode %s', (_, episode, problem) => {
    expect(problemsOf(sampleBundle({ episodes: [episode] }))).toEqual([problem])
  })

  it.each<[string, object, string]>([
    [
      'of a newer version',
      { schemaVersion: 3 },
      'schemaVersion: version 3 is newer than this program reads (2): update Proofboard',
    ],
    [
      'of another version than its plan',
      { schemaVersion: 2 },
      'schemaVersion: does not go with a plan of version 1',
    ],
    ['without its environment', { lock: null }, 'lock: a measured run has its environment'],
    ['of no run', { runId: 'run_1' }, 'runId: is not a run id'],
    [
      'of a shard beyond its count',
      { shard: { index: 3, count: 2 } },
      'shard: names a shard that does not exist',
    ],
    ['without a list of episodes', { episodes: null }, 'episodes: expected a list of episodes'],
  ])('refuses a bundle %s', (_, changes, problem) => {
    expect(problemsOf({ ...sampleBundle(), ...changes })).toEqual([problem])
  })

  it('is the whole plan where no shard is named', () => {
    const { shard: _, ...rest } = sampleBundle()
    expect(parseBundle(rest)).toMatchObject({ ok: true, value: { shard: { index: 1, count: 1 } } })
  })

  it('refuses the same episode twice', () => {
    expect(problemsOf(sampleBundle({ episodes: [sampleEpisode(), sampleEpisode()] }))).toEqual([
      'episodes.1.episodeId: is in this bundle twice',
    ])
  })

  it('names the place of each broken episode', () => {
    const broken = { ...sampleEpisode(), agentSuccess: false }
    expect(
      problemsOf(sampleBundle({ episodes: [sampleEpisode({ repetition: 2 }), broken] }))[0],
    ).toContain('episodes.1.seal')
  })

  it.each([null, [], 'x', {}, { kind: BUNDLE_KIND }])('refuses %j without throwing', (input) => {
    expect(problemsOf(input).length).toBeGreaterThan(0)
  })
})

const EPISODES = [sampleEpisode(), sampleEpisode({ repetition: 2 })] as const

function shard(index: number, count: number, changes: Partial<Bundle> = {}): Bundle {
  const episode = EPISODES[index - 1] ?? EPISODES[0]
  return {
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId: SAMPLE_RUN_ID,
    plan: samplePlan(),
    lock: episode.environment,
    shard: { index, count },
    episodes: [episode],
    ...changes,
  }
}

function problemOf(...shards: Bundle[]): string | undefined {
  const merged = mergeBundles(shards)
  return merged.ok ? undefined : merged.problems[0]?.message
}

it('makes one whole result of its parts, in whatever order they come', () => {
  const merged = mergeBundles([shard(2, 2), shard(1, 2)])
  if (!merged.ok) throw new Error('refused')
  const { bundle, missing } = merged.value
  expect(bundle.shard).toEqual({ index: 1, count: 1 })
  expect(bundle.episodes).toEqual(EPISODES)
  expect(missing).toEqual([])
  expect(parseBundle(JSON.parse(JSON.stringify(bundle))).ok).toBe(true)
})

it('tells which parts are missing', () => {
  const merged = mergeBundles([shard(2, 8), shard(1, 8)])
  expect(merged.ok && merged.value.missing).toEqual([3, 4, 5, 6, 7, 8])
})

it('refuses what does not belong together', () => {
  expect(problemOf()).toMatch(/no result was given/)
  expect(problemOf(shard(1, 2), shard(1, 2))).toBe('shard 1/2 was given twice')
  expect(problemOf(shard(1, 2), shard(2, 3))).toMatch(/one of 3 parts, not of 2/)
  expect(problemOf(shard(1, 2), shard(2, 2, { runId: 'run_another1' }))).toMatch(/--run-id/)
  const plan = { ...samplePlan(), planDigest: `sha256:${'0'.repeat(64)}` as const }
  expect(problemOf(shard(1, 2), shard(2, 2, { plan }))).toMatch(/is another plan/)
})
