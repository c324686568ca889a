import { describe, expect, it } from 'vitest'
import { judgeResults } from '../board/index.ts'
import { digestBytes } from '../digest/index.ts'
import {
  BUNDLE_KIND,
  PROVENANCE_LEVELS,
  parseAnyBundle,
  parseAnyEpisode,
  parseBundle,
  parseEpisode,
  planMembership,
  type ReportedBody,
  sealReported,
} from '../record/index.ts'
import { seededGenerator } from '../statistics/index.ts'
import { buildReported, slugOf } from './build-reported.ts'
import type { ReportedAttempt, ReportedRun } from './reported-run.ts'
import { judgeScore, readScore } from './reported-run.ts'

const attempt = (name: string, changes: Partial<ReportedAttempt> = {}): ReportedAttempt => ({
  task: { name, checksum: null, category: null },
  repetition: 1,
  ...judgeScore(1),
  agentSuccess: null,
  overallSuccess: null,
  times: null,
  wall: {},
  steps: null,
  toolCalls: null,
  retries: null,
  usage: null,
  modelObserved: [],
  exitCode: null,
  recordName: name,
  recordDigest: digestBytes('record'),
  evidence: [],
  ...changes,
})
const reported = (changes: Partial<ReportedRun> = {}): ReportedRun => ({
  format: 'inspect',
  formatVersion: null,
  url: null,
  untold: [],
  identity: ['a'],
  harness: { name: 'inspect_ai', version: '1', commit: 'c'.repeat(40), dirty: false },
  dataset: { name: 'sums', version: '1' },
  subject: { name: 'react', version: '1.0.0', provider: 'openai', model: 'm-1' },
  settings: { temperature: 0 },
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:00:01.000Z',
  attempts: [attempt('one'), attempt('two')],
  ...changes,
})
const sealAll = (run: ReportedRun) => buildReported(run).attempts.map(({ seal }) => seal())

describe('a run that another program reported', () => {
  it('is the same for the same record, and another run for another identity', () => {
    expect(sealAll(reported())).toEqual(sealAll(reported()))
    expect(buildReported(reported({ identity: ['b'] })).runId).not.toBe(
      buildReported(reported()).runId,
    )
    const edited = reported({ attempts: [attempt('one', { steps: 3 }), attempt('two')] })
    expect(buildReported(edited).runId).toBe(buildReported(reported()).runId)
    expect(sealAll(edited)[0]?.seal).not.toBe(sealAll(reported())[0]?.seal)
  })

  it('has envelopes that hold, under the plan that came of it', () => {
    const { plan, runId } = buildReported(reported())
    const findStranger = planMembership(plan, runId)
    for (const episode of sealAll(reported())) {
      expect(parseAnyEpisode(JSON.parse(JSON.stringify(episode)))).toEqual({
        ok: true,
        value: episode,
      })
      expect(findStranger(episode)).toBeNull()
    }
  })

  it('is accepted by code that stores or exports results, and refused by code for measured ones', () => {
    const { plan, runId } = buildReported(reported())
    const head = { kind: BUNDLE_KIND, schemaVersion: 2, runId, plan, lock: null }
    const bundle = { ...head, shard: { index: 1, count: 1 }, episodes: sealAll(reported()) }
    expect(parseAnyBundle(bundle)).toEqual({ ok: true, value: bundle })
    const refused = parseBundle(bundle)
    expect(!refused.ok && refused.problems).toEqual([
      {
        path: 'schemaVersion',
        message:
          'contains results reported by another program, which were not measured by this one',
      },
    ])
    expect(parseEpisode(bundle.episodes[0]).ok).toBe(false)
  })

  it('on other tasks, or other versions of them, is another suite', () => {
    const suites = [
      reported(),
      reported({ attempts: [attempt('one')] }),
      reported({ dataset: { name: 'sums', version: '2' } }),
      reported({
        attempts: [
          attempt('one', { task: { name: 'one', checksum: 'x', category: null } }),
          attempt('two'),
        ],
      }),
    ].map((run) => buildReported(run).plan.suiteId)
    expect(new Set(suites).size).toBe(4)
  })

  it('is diagnostic, whatever its source and rate', () => {
    const chance = seededGenerator(11)
    for (let round = 0; round < 40; round++) {
      const attempts = Array.from({ length: 5 + chance.nextBelow(30) }, (_, index) =>
        attempt(`task ${index}`, {
          ...judgeScore(chance.nextUnit() < 0.8 ? 1 : 0),
          steps: 3,
          modelObserved: ['m-1'],
          usage: {
            tokens: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
            costMicroUsd: 1,
            priceTable: null,
          },
          wall: { subjectMs: 10, totalMs: 12 },
        }),
      )
      const run = reported({ attempts })
      const { runId, plan } = buildReported(run)
      const result = { runId, plan, shard: { index: 1, count: 1 }, episodes: sealAll(run) }
      for (const provenance of PROVENANCE_LEVELS) {
        const [row] = judgeResults([result], { provenance, findSuite: () => null })
        expect(row).toMatchObject({ eligible: false, label: 'diagnostic' })
        const codes = row?.reasons.map(({ code }) => code) ?? []
        expect(codes).toEqual(
          expect.arrayContaining(['mode', 'postcondition', 'frozen-plan', 'llm-pins', 'unmetered']),
        )
      }
    }
  })

  it.each<[string, Partial<ReportedBody>, string]>([
    ['solved that did not succeed', { overallSuccess: false }, 'outcome'],
    [
      'success that is unsolved',
      { overallSuccess: true, outcome: { status: 'unsolved', reason: '' } },
      'outcome',
    ],
    ['a reason to fail and solved', { failureCategory: 'crash' }, 'failureCategory'],
    ['an end before its start', { endedAt: '2025-01-01T00:00:00.000Z' }, 'endedAt'],
    [
      'undetected tampering',
      { outcome: { status: 'tampered', findings: [{ code: 'x', detail: 'y' }] as never } },
      'outcome',
    ],
  ])('cannot tell of %s', (_, changes, place) => {
    const [episode] = sealAll(reported())
    if (!episode) throw new Error('nothing was built')
    const { seal: __, ...body } = episode
    const parsed = parseAnyEpisode(sealReported({ ...body, ...changes }))
    expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path)).toContain(place)
  })

  it('cannot pass for one that was measured: what only a measured one has is refused', () => {
    const [episode] = sealAll(reported())
    expect(parseAnyEpisode({ ...episode, schemaVersion: 1 }).ok).toBe(false)
    expect(parseAnyEpisode({ ...episode, mode: 'live' }).ok).toBe(false)
    expect(parseAnyEpisode({ ...episode, contract: { verdict: 'pass' } }).ok).toBe(false)
  })
})

it('names are kept where they can be, and never two in one', () => {
  expect(['acronym', '15815_1', 'two-fer'].map(slugOf)).toEqual(['acronym', '15815_1', 'two-fer'])
  const odd = [
    'Two Fer',
    'two fer',
    'TWO-FER',
    'α',
    'β',
    '../../etc',
    'x'.repeat(500),
    '',
    '__proto__',
  ]
  const slugs = odd.map(slugOf)
  expect(new Set(slugs).size).toBe(odd.length)
  for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9][a-z0-9._-]{0,79}$/)
})

it.each<[unknown, number | null]>([
  ...([
    ['C', 1],
    ['I', 0],
    ['P', 0.5],
    ['N', 0],
    ['yes', 1],
    ['False', 0],
    [true, 1],
  ] as [unknown, number][]),
  ...([
    [0.25, 0.25],
    ['0.5', 0.5],
    [1, 1],
  ] as [unknown, number][]),
  ...([
    [7, null],
    [-1, null],
    ['', null],
    ['A', null],
    [null, null],
    [{}, null],
    ['constructor', null],
  ] as [unknown, null][]),
])('the score %j is %j', (value, score) => expect(readScore(value)).toBe(score))
