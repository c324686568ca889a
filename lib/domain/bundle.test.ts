import { describe, expect, it } from 'vitest'
import { SAMPLE_RUN_ID, sampleEpisode, samplePlan } from '#lib/testing/sample-episode.ts'
import { BUNDLE_KIND, type Bundle, parseBundle } from './bundle.ts'
import { digestBytes } from './digest.ts'

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
      'episodes.0.repetition: is no repetition of the plan',
    ],
  ])('refuses an episode %s', (_, episode, problem) => {
    expect(problemsOf(sampleBundle({ episodes: [episode] }))).toEqual([problem])
  })

  it('refuses the same episode twice', () => {
    expect(problemsOf(sampleBundle({ episodes: [sampleEpisode(), sampleEpisode()] }))).toEqual([
      'episodes.1.episodeId: stands in this bundle twice',
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
