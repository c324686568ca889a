import { describe, expect, it } from 'vitest'
import {
  SAMPLE_AGENT,
  SAMPLE_SETTINGS,
  type SampleRunOptions,
  type SampleSuite,
  sampleBoardSuite,
  sampleRun,
} from '#lib/testing/factories/sample-run.ts'
import { type Board, buildBoard } from '../board/index.ts'
import { canonicalJson } from '../digest/index.ts'
import { rowInterval } from '../statistics/index.ts'
import type { AxisReport } from './axis-report.ts'
import { AXES, type AxisSlug } from './axis-report.ts'
import {
  buildAxisReport,
  buildAxisReports,
  countMeasuredRows,
  SUPPORTING_ONLY,
} from './build-axis-report.ts'

const suite = sampleBoardSuite(20)

function board(runs: Omit<SampleRunOptions, 'suite' | 'runId'>[], of: SampleSuite = suite): Board {
  const made = runs.map((run, index) =>
    sampleRun({ ...run, suite: of, runId: `run_0000000${index}` }),
  )
  return buildBoard({
    suite: of,
    facts: made.flatMap(({ facts }) => facts),
    runs: made.map(({ run }) => run),
  })
}

function report(slug: AxisSlug, of: Board): AxisReport {
  const axis = AXES.find((one) => one.slug === slug)
  if (!axis) throw new Error(slug)
  return buildAxisReport(axis, of)
}

const halfSolved = (task: number, repetition: number) =>
  (task + repetition) % 2 === 0 ? ('solved' as const) : ('unsolved' as const)
const figureOf = ({ claims, others }: AxisReport, id: string) =>
  [...claims, ...others][0]?.values[id]

describe('buildAxisReport', () => {
  it('shows pass^k with the interval of the entry’s curve, and without one where it has none', () => {
    const made = board([{ repetitions: 4, status: halfSolved }])
    const last = made.rows[0]?.reliability?.points.at(-1)
    const shown = figureOf(report('task-completion', made), 'pass-hat-k')
    expect(last?.k).toBe(4)
    expect(shown).toMatchObject({ value: last?.rate, low: last?.low, high: last?.high })
    expect(shown?.method).toMatch(/^k = 4: mean of pass\^k over 20 tasks; each point’s interval/)
    const older = { ...made, rows: made.rows.map(({ reliability: _, ...row }) => row) }
    const bare = figureOf(report('task-completion', older), 'pass-hat-k')
    expect(bare).toMatchObject({ value: last?.rate, low: null, high: null })
    expect(bare?.method).toContain('no interval')
  })

  it('keeps raw figures out of every column that is not marked diagnostic', () => {
    const cheap = board([{ repetitions: 2, status: halfSolved }])
    const spoiled: Board = {
      ...cheap,
      rows: cheap.rows.map((row) => ({
        ...row,
        raw: {
          subjectMs: { p50: 1, p95: 1 },
          tokensPerEpisode: 1,
          costPerEpisodeMicroUsd: 1,
          stepsPerEpisode: 1,
        },
      })),
    }
    for (const [index, plain] of buildAxisReports(cheap).entries()) {
      const other = buildAxisReports(spoiled)[index]
      for (const { id, role } of plain.columns) {
        if (role !== 'diagnostic')
          expect(figureOf(other as AxisReport, id)).toEqual(figureOf(plain, id))
      }
    }
  })

  it('counts failures into what a success takes, and tells the solved episodes alone beside it', () => {
    const made = board([{ repetitions: 2, status: halfSolved }])
    const cost = report('token-cost', made)
    expect(figureOf(cost, 'expected-cost')).toMatchObject({ value: 4000, tasks: 20, episodes: 40 })
    expect(figureOf(cost, 'solved-cost')).toMatchObject({
      value: 2000,
      low: 2000,
      high: 2000,
      episodes: 20,
    })
    expect(figureOf(cost, 'cost-per-episode')).toMatchObject({ value: 2000, low: null })
    const tokens = figureOf(report('token-efficiency', made), 'tokens-per-success')
    expect(tokens).toMatchObject({ value: 2000, low: 2000, high: 2000 })
    expect(tokens?.method).toContain('bootstrap over 20 tasks')
  })

  it('gives times of solved episodes only and successes per hour of all subject time', () => {
    const made = board([
      {
        repetitions: 2,
        status: halfSolved,
        change: ({ status }) => ({ subjectMs: status === 'solved' ? 9000 : 1000 }),
      },
    ])
    const speed = report('speed', made)
    expect(figureOf(speed, 'solved-p50')).toMatchObject({ value: 9000, episodes: 20 })
    expect(figureOf(speed, 'solved-per-hour')).toMatchObject({ value: 360, low: 360, high: 360 })
    expect(figureOf(speed, 'raw-p50')?.value).toBe(5000)
  })

  it('has a dash and a reason, never a zero, for what is unknown', () => {
    const made = board([{ repetitions: 1, change: () => ({ tokens: null, costMicroUsd: null }) }])
    const tokens = report('token-efficiency', made)
    expect(figureOf(tokens, 'tokens-per-success')).toMatchObject({
      value: null,
      low: null,
      high: null,
      method: 'Unknown for some scored episodes.',
    })
    expect(tokens.absent[0]).toContain('Tokens per success: no data.')
  })

  it('says that nothing is a claim while no row is primary, in every report', () => {
    const control = { ...SAMPLE_AGENT, kind: 'control' as const, name: 'nop' }
    const made = board([
      { repetitions: 1, subject: control, change: () => ({ mode: 'scaffold' as const }) },
    ])
    const reports = buildAxisReports(made)
    expect(reports.map(({ supportingOnly }) => supportingOnly)).toEqual(
      AXES.map(() => SUPPORTING_ONLY),
    )
    expect(reports.every(({ claims }) => claims.length === 0)).toBe(true)
    const [completion] = reports
    expect(completion?.others[0]).toMatchObject({ label: 'scaffold' })
    expect(figureOf(completion as AxisReport, 'rank')?.value).toBeNull()
    const whole = buildAxisReports(board([{ repetitions: 3 }]))
    expect(whole.every(({ supportingOnly }) => supportingOnly === null)).toBe(true)
  })

  it('tells an unknown time from no success', () => {
    const change = () => ({ subjectMs: null })
    const made = board([{ repetitions: 1, status: halfSolved, change }])
    const time = figureOf(report('speed', made), 'solved-p50')
    expect(time).toMatchObject({ value: null, method: 'Unknown for some solved episodes.' })
  })

  it('makes nothing up for developer experience', () => {
    const made = report('developer-experience', board([{ repetitions: 1 }]))
    expect([made.columns, made.claims, made.others, countMeasuredRows(made)]).toEqual([
      [],
      [],
      [],
      0,
    ])
    expect(made.absent).toHaveLength(1)
  })

  it('gives the same bytes for the same board', () => {
    const made = board([{ repetitions: 2, status: halfSolved }])
    expect(canonicalJson(buildAxisReports(made))).toBe(canonicalJson(buildAxisReports(made)))
  })
})

describe('the fault recovery report', () => {
  const stressed = board([
    { repetitions: 3 },
    {
      repetitions: 3,
      status: (task) => (task < 15 ? 'solved' : 'unsolved'),
      change: ({ status }) => ({ fault: { fired: true, recovered: status === 'solved' } }),
    },
  ])

  it('takes recovery over fired faults, clustered by task like any rate', () => {
    const recovery = report('fault-recovery', stressed)
    expect(recovery.claims).toHaveLength(1)
    expect(recovery.claims[0]?.label).toBe('stress')
    const tallies = suite.tasks.map(({ taskId }, task) => ({
      taskId,
      solved: task < 15 ? 3 : 0,
      scored: 3,
    }))
    const wanted = rowInterval(tallies)
    if (!wanted.ok) throw new Error(wanted.refusal.reason)
    const { low, high, method } = wanted.value
    expect(figureOf(recovery, 'recovery')).toEqual({
      value: 0.75,
      low,
      high,
      method,
      tasks: 20,
      episodes: 60,
    })
    expect(figureOf(recovery, 'baseline')?.value).toBe(1)
    expect(figureOf(recovery, 'fired')?.value).toBe(1)
  })

  it('compares with the same sender under the same limits, which may differ a little', () => {
    const under = { fault: { fired: true, recovered: true } }
    const sent = (voucher: string, fault = {}) => ({
      repetitions: 3,
      change: () => ({ provenance: 'token' as const, voucher: voucher as 'manual', ...fault }),
    })
    const half = { ...sent('token:a'), status: halfSolved }
    const baselineOf = (made: Board) => figureOf(report('fault-recovery', made), 'baseline')?.value
    expect(baselineOf(board([sent('token:b'), half, sent('token:a', under)]))).toBe(0.5)
    expect(baselineOf(board([sent('token:b'), sent('token:a', under)]))).toBeNull()
    const settings = { ...SAMPLE_SETTINGS, timeoutMs: 62_000 }
    const near = board([{ repetitions: 3 }, { repetitions: 3, settings, change: () => under }])
    expect(baselineOf(near)).toBe(1)
  })

  it('has an always-valid interval where its entry has', () => {
    const [plain] = stressed.rows.filter(({ recovery }) => recovery !== null)
    const looks = { kind: 'always-valid' as const, stages: 2, states: 1, confidence: 0.99 }
    const topped = { ...looks, pinnedEpisodes: 60, reason: 'a second plan' }
    const rows = stressed.rows.map((row) => (row === plain ? { ...row, looks: topped } : row))
    const [wide, usual] = [{ ...stressed, rows }, stressed].map((made) =>
      figureOf(report('fault-recovery', made), 'recovery'),
    )
    expect(wide?.low).toBeLessThan(usual?.low ?? 0)
    expect(wide?.method).toContain('always-valid')
  })

  it('leaves out faults that never fired', () => {
    const quiet = board([
      {
        repetitions: 2,
        change: ({ repetition }) => ({
          fault:
            repetition === 1 ? { fired: true, recovered: true } : { fired: false, recovered: null },
        }),
      },
    ])
    const recovery = report('fault-recovery', quiet)
    expect(figureOf(recovery, 'recovery')).toMatchObject({ value: 1, episodes: 20 })
    expect(figureOf(recovery, 'fired')?.value).toBe(0.5)
    expect(recovery.others[0]?.label).toBe('diagnostic')
  })

  it('says so when nothing was measured under faults', () => {
    const recovery = report('fault-recovery', board([{ repetitions: 1 }]))
    expect(recovery.absent).toEqual(['No entry of this suite was measured with injected faults.'])
  })

  it('keeps stress rows out of every other report', () => {
    for (const { axis, claims, others } of buildAxisReports(stressed)) {
      if (axis.slug === 'fault-recovery' || axis.slug === 'developer-experience') continue
      const labels = [...claims, ...others].map(({ label }) => label)
      expect(labels).toEqual(axis.slug === 'logged-in' ? [] : ['primary'])
    }
  })
})

describe('the logged-in report', () => {
  const mixed = (count: number): SampleSuite => ({
    ...suite,
    tasks: suite.tasks.map((task, index) =>
      index < count ? { ...task, category: 'logged-in' } : task,
    ),
  })

  it('takes the rate over the logged-in tasks alone', () => {
    const status = (task: number) => (task < 3 ? ('solved' as const) : ('unsolved' as const))
    const logged = report('logged-in', board([{ repetitions: 3, status }], mixed(4)))
    expect(figureOf(logged, 'logged-in-success')).toMatchObject({
      value: 0.75,
      tasks: 4,
      episodes: 12,
    })
    expect(figureOf(logged, 'success')?.value).toBeCloseTo(0.15, 12)
  })

  it('withholds it below the threshold, and where a task is missing', () => {
    const few = report('logged-in', board([{ repetitions: 2 }], mixed(4)))
    expect(figureOf(few, 'logged-in-success')).toMatchObject({
      value: null,
      method: 'Withheld: 8 of 10 required scored episodes.',
    })
    const holes = board(
      [{ repetitions: 4, change: ({ taskId }) => (taskId === 'task-1' ? { status: 'void' } : {}) }],
      mixed(4),
    )
    expect(figureOf(report('logged-in', holes), 'logged-in-success')?.method).toBe(
      'Withheld: 1 of 4 logged-in tasks have no scored episode.',
    )
  })

  it('says so when the suite has no such task', () => {
    const logged = report('logged-in', board([{ repetitions: 1 }]))
    expect(logged.absent[0]).toContain('This suite has no tasks of category logged-in')
  })
})
