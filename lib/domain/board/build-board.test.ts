import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SAMPLE_AGENT, sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { canonicalJson } from '../digest/index.ts'
import { POLICY } from '../eligibility/index.ts'
import type { EpisodeFact, Subject } from '../record/index.ts'
import { boardSchema } from './board-row.ts'
import { buildBoard as build } from './build-board.ts'
import type { BuildBoardInput } from './build-board-input.ts'

const suite = sampleBoardSuite(25)
/** These tests do not depend on the number of repetitions. */
const policy = { ...POLICY, modelRepetitions: 1 }
const buildBoard = (input: BuildBoardInput) => build({ policy, ...input })
const control = (name: string): Subject => ({
  kind: 'control',
  name,
  version: '1',
  adapterVersion: null,
  provider: null,
  modelRequested: null,
})
const asControl = { mode: 'scaffold' as const, modelObserved: [], tokens: null, costMicroUsd: null }

function controlRun(name: string, runId: string, solved: boolean) {
  const status = () => (solved ? ('solved' as const) : ('unsolved' as const))
  const subject = control(name)
  return sampleRun({ suite, repetitions: 1, runId, subject, status, change: () => asControl })
}

describe('buildBoard', () => {
  it('shows the first board: reference 25/25 and nop 0/25, both scaffold with reasons', () => {
    const reference = controlRun('reference', 'run_reference', true)
    const nop = controlRun('nop', 'run_nop00000', false)
    const board = buildBoard({
      suite,
      facts: [...nop.facts, ...reference.facts],
      runs: [nop.run, reference.run],
    })
    expect(boardSchema.safeParse(board).error).toBeUndefined()
    const [first, second] = board.rows
    expect(first).toMatchObject({
      label: 'scaffold',
      driven: 'scripted',
      rank: null,
      success: { rate: 1, high: 1, tasks: 25, attempts: 25, voids: 0 },
      repetitions: { least: 1, most: 1 },
      plannedEpisodes: 25,
      costPerSuccessMicroUsd: null,
      tokensPerSuccess: null,
    })
    expect(first?.success.low).toBeCloseTo(0.025 ** (1 / 25), 12)
    expect(first?.success.method).toContain('bounded mean of 25 tasks')
    expect(first?.refusals.map(({ code }) => code)).toEqual(['mode'])
    expect(second?.rank).toBeNull()
    expect(board.rankings).toEqual([])
    expect(second?.success).toMatchObject({ rate: 0, low: 0 })
    expect(second?.solvedMs).toEqual({ p50: null, p95: null })
  })

  it('knows the median time of a task’s successes, and nothing where one is not known', () => {
    const times: (number | null)[] = [100, 900, 300, 200]
    const medianOf = (known: (number | null)[]) => {
      const { run, facts } = sampleRun({
        suite: sampleBoardSuite(1),
        repetitions: known.length,
        subject: SAMPLE_AGENT,
        status: (_, repetition) => (repetition === 2 ? 'unsolved' : 'solved'),
        change: ({ repetition }) => ({ subjectMs: known[repetition - 1] ?? null }),
      })
      const board = buildBoard({ suite: sampleBoardSuite(1), facts, runs: [run] })
      return board.rows[0]?.tasks[0]?.spent?.solvedP50Ms
    }
    expect(medianOf(times)).toBe(200)
    expect(medianOf([100, 900, 300])).toBe(200)
    expect(medianOf([100, 900, null])).toBeNull()
    expect(medianOf([100, null, 300])).toBe(200)
  })

  it('gives the same bytes whatever the order of episodes, runs and tasks', () => {
    const runs = ['a', 'b', 'c'].map((name, index) =>
      sampleRun({
        suite,
        repetitions: 2,
        runId: `run_0000000${name}`,
        subject: { ...SAMPLE_AGENT, name },
        status: (task, repetition) => ((task * 7 + repetition + index) % 3 ? 'solved' : 'unsolved'),
      }),
    )
    const facts = runs.flatMap((run) => run.facts)
    const plain = buildBoard({ suite, facts, runs: runs.map(({ run }) => run) })
    const shuffled = buildBoard({
      suite: { ...suite, tasks: [...suite.tasks].reverse() },
      facts: [...facts].sort((x, y) => (x.episodeId < y.episodeId ? 1 : -1)),
      runs: runs.map(({ run }) => run).reverse(),
    })
    expect(canonicalJson(shuffled)).toBe(canonicalJson(plain))
    expect(plain.rows.every((row) => row.label === 'primary')).toBe(true)
  })

  it('does not mind the order of attempts either, nor an episode handed in twice', () => {
    const small = sampleBoardSuite(8)
    const { run, facts } = sampleRun({ suite: small, repetitions: 2 })
    const attempts = facts.flatMap((fact, index) => [
      { ...fact, episodeId: `ep_void_${index}`, status: 'void' as const, verdict: null },
      { ...fact, attempt: 2 },
    ])
    const plain = canonicalJson(buildBoard({ suite: small, facts: attempts, runs: [run] }))
    const orders = fc.shuffledSubarray([...attempts, ...attempts], {
      minLength: 2 * attempts.length,
    })
    fc.assert(
      fc.property(orders, (shuffled) => {
        const board = buildBoard({ suite: small, facts: shuffled, runs: [run, run] })
        expect(canonicalJson(board)).toBe(plain)
      }),
      { numRuns: 20, seed: 41 },
    )
  })

  it('counts the last attempt of a slot: a void one that was tried again is not a void', () => {
    const { run, facts } = sampleRun({ suite, repetitions: 1, settings: { maxAttempts: 3 } })
    const [first, ...rest] = facts as [EpisodeFact, ...EpisodeFact[]]
    const tried: EpisodeFact[] = [
      { ...first, status: 'void', verdict: null },
      { ...first, attempt: 2, episodeId: 'ep_second' },
    ]
    const [row] = buildBoard({ suite, facts: [...rest, ...tried], runs: [run] }).rows
    expect(row).toMatchObject({ label: 'primary', success: { attempts: 25, voids: 0, rate: 1 } })
    expect(row?.voidAttempts).toBe(1)
    const third = { ...first, attempt: 2, status: 'void' as const, verdict: null }
    const last = { ...first, attempt: 3, episodeId: 'ep_third' }
    const more = [...rest, ...tried.slice(0, 1), { ...third, episodeId: 'ep_second' }, last]
    const [often] = buildBoard({ suite, facts: more, runs: [run] }).rows
    expect(often?.refusals.map(({ code }) => code)).toEqual(['void-attempts'])
    expect(often?.voidAttempts).toBe(2)
  })

  it('refuses a row whose scored attempt was tried again', () => {
    const { run, facts } = sampleRun({ suite, repetitions: 1 })
    const [first, ...rest] = facts as [EpisodeFact, ...EpisodeFact[]]
    const lost = { ...first, status: 'unsolved' as const, verdict: 'fail' as const }
    const again = { ...first, attempt: 2, episodeId: 'ep_second' }
    const [row] = buildBoard({ suite, facts: [...rest, again, lost], runs: [run] }).rows
    expect(row?.refusals.map(({ code }) => code)).toEqual(['retries'])
    expect(row?.label).toBe('diagnostic')
  })

  it('shows a running run as incomplete, with the planned number', () => {
    const { run, facts } = sampleRun({ suite, repetitions: 1 })
    const [row] = buildBoard({ suite, facts: facts.slice(0, 12), runs: [run] }).rows
    expect(row).toMatchObject({ plannedEpisodes: 25, success: { tasks: 12 } })
    expect(row?.refusals.map(({ code }) => code)).toEqual(['samples', 'complete'])
  })

  it('takes shards of one plan together and misses a lost one', () => {
    const whole = sampleRun({ suite, repetitions: 1 })
    const shards = [1, 2].map((index) => ({
      ...whole.run,
      runId: `run_0000001${index}`,
      shard: { index, count: 2 },
    }))
    const facts = whole.facts.map((fact, index) => ({
      ...fact,
      runId: `run_0000001${(index % 2) + 1}`,
    }))
    const both = buildBoard({ suite, facts, runs: shards })
    expect(both.rows).toHaveLength(1)
    expect(both.rows[0]).toMatchObject({ label: 'primary', plannedEpisodes: 25 })
    const half = facts.filter((fact) => fact.runId === 'run_00000011')
    const [row] = buildBoard({ suite, facts: half, runs: shards.slice(0, 1) }).rows
    expect(row?.plannedEpisodes).toBe(25)
    expect(row?.refusals.map(({ code }) => code)).toContain('complete')
  })

  it('keeps other settings, other suite versions and stress apart', () => {
    const a = sampleRun({ suite, repetitions: 1 })
    const b = sampleRun({ suite, repetitions: 1, runId: 'run_00000002', settings: { maxSteps: 9 } })
    const old = sampleRun({ suite: sampleBoardSuite(24), repetitions: 1, runId: 'run_00000003' })
    const fault = { fired: true, recovered: true }
    const c = sampleRun({ suite, repetitions: 1, runId: 'run_00000004', change: () => ({ fault }) })
    const all = [a, b, c, old]
    const facts = all.flatMap((one) => one.facts)
    const board = buildBoard({ suite, facts, runs: all.map(({ run }) => run) })
    expect(board.rows.map((row) => row.label).sort()).toEqual(['primary', 'primary', 'stress'])
    expect(new Set(board.rows.map((row) => row.rowId)).size).toBe(3)
    expect(board.rows.map((row) => row.rank?.place)).toEqual([1, 1, 1])
  })

  it('shows a row of void episodes only without a rate and without a rank', () => {
    const change = () => ({ verdict: null })
    const { run, facts } = sampleRun({ suite, repetitions: 1, status: () => 'void', change })
    const [row] = buildBoard({ suite, facts, runs: [run] }).rows
    expect(row?.success).toMatchObject({
      rate: null,
      low: null,
      high: null,
      voids: 25,
      attempts: 0,
    })
    expect(row?.rank).toBeNull()
    expect(row?.refusals.map(({ code }) => code)).toEqual(['samples', 'complete'])
  })

  it('ranks only claims, plain and stress, model-driven and scripted each for themselves', () => {
    const library: Subject = {
      ...SAMPLE_AGENT,
      kind: 'library',
      name: 'playwright',
      adapterVersion: '1+0a1b2c3d',
      modelRequested: null,
    }
    const scripted = { modelObserved: [], tokens: null, costMicroUsd: null }
    const fault = { fired: true, recovered: false }
    const few = sampleRun({
      suite,
      repetitions: 1,
      runId: 'run_00000005',
      subject: { ...SAMPLE_AGENT, name: 'agent-few' },
    })
    const runs = [
      sampleRun({ suite, repetitions: 1 }),
      sampleRun({
        suite,
        repetitions: 1,
        runId: 'run_00000002',
        subject: library,
        change: () => scripted,
      }),
      sampleRun({
        suite,
        repetitions: 1,
        runId: 'run_00000003',
        subject: library,
        change: () => ({ ...scripted, fault }),
      }),
      { ...few, facts: few.facts.slice(0, 5) },
    ]
    const facts = runs.flatMap((one) => one.facts)
    const board = buildBoard({ suite, facts, runs: runs.map(({ run }) => run) })
    expect(board.rankings.map(({ pool, rows }) => [pool, rows])).toEqual([
      ['primary/llm', 1],
      ['primary/scripted', 1],
      ['stress/scripted', 1],
    ])
    expect(board.rows.map(({ label, rank }) => [label, rank?.place ?? null])).toEqual([
      ['primary', 1],
      ['primary', 1],
      ['stress', 1],
      ['diagnostic', null],
    ])
    expect(board.rows.map(({ recovery }) => recovery)).toEqual([
      null,
      null,
      { fired: 25, recovered: 0 },
      null,
    ])
  })

  it('answers an empty board for no episodes', () => {
    expect(buildBoard({ suite, facts: [], runs: [] }).rows).toEqual([])
  })
})
