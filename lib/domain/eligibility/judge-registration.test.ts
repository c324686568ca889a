import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { boardInput, buildBoard } from '../board/index.ts'
import { chainEntry, type LedgerAction, type LedgerEntry } from '../ledger/index.ts'
import type { EpisodeFact } from '../record/index.ts'

const suite = sampleBoardSuite(6)
const FIRST = sampleRun({ suite, repetitions: 3 })
const { plan } = FIRST.run
const startedAt = FIRST.facts.map((fact) => fact.startedAt).sort()[0] ?? ''
const early = (ms: number) => new Date(Date.parse(startedAt) - ms).toISOString()
const RUNS = ['run_first001', 'run_second01', 'run_third001', 'run_fourth01']

type Line = { at?: string; action: LedgerAction }

function write(lines: readonly Line[]): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (const { at = early(0), action } of lines) {
    const draft = { author: 'tester', reason: 'because', action }
    entries.push(chainEntry(entries.at(-1) ?? null, draft, { now: at }))
  }
  return entries
}

const sender = (voucher: string) => ({
  provenance: 'token' as const,
  voucher,
  name: voucher,
  bodyDigest: null,
})

type Registered = {
  runs?: string[]
  expected?: number
  by?: string
  at?: string
  seed?: number
  timeoutMs?: number
  version?: string
}

function register({
  runs = [],
  expected,
  by = 'token a',
  at = early(60_000),
  seed,
  timeoutMs,
  version,
}: Registered): Line {
  const { suiteId, suiteDigest, settings, frozenAt } = plan
  const subject = version === undefined ? plan.subject : { ...plan.subject, version }
  const request = {
    ...settings,
    ...(seed === undefined ? {} : { seed }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
  const fork = seed ?? timeoutMs ?? version?.length
  const action: LedgerAction = {
    kind: 'register',
    target: fork === undefined ? plan.planDigest : `sha256:${String(fork).padStart(64, '0')}`,
    plan: {
      suiteId,
      suiteDigest,
      subject,
      settings: request,
      frozenAt: frozenAt ?? '',
      episodes: 18,
    },
    runs: runs.map((runId) => ({ runId, shard: null })),
    expected: expected ?? runs.length,
    sender: sender(by),
  }
  return { at, action }
}

function blindly(line: Line, digest?: string): Line {
  const action = line.action as LedgerAction & { kind: 'register' }
  return { ...line, action: { ...action, plan: null, target: (digest ?? action.target) as never } }
}

function include(runId: string, by = 'token a'): Line {
  const { planDigest, frozenAt } = plan
  const receipt = { ...sender(by), receivedAt: early(0), frozenAt }
  const kind = { kind: 'include' as const, target: runId, planDigest, shard: null }
  return { action: { ...kind, provenance: 'token', receipt } }
}

function factsOf(runIds: readonly string[], change: Partial<EpisodeFact>): EpisodeFact[] {
  return runIds.flatMap((runId) =>
    FIRST.facts.map((fact) => ({
      ...fact,
      ...change,
      runId,
      episodeId: `${runId}${fact.episodeId}`,
    })),
  )
}

function rowOf(
  lines: readonly Line[],
  runIds: readonly string[],
  change: Partial<EpisodeFact> = {},
) {
  const runs = runIds.map((runId) => ({ runId, plan }))
  const board = buildBoard(
    boardInput(
      { suite, facts: factsOf(runIds, change), runs, evaluations: [], regrades: new Map() },
      write(lines),
    ),
  )
  const [row] = board.rows
  const reason = row?.refusals.find(({ code }) => code === 'registered')?.reason ?? null
  return { row, reason, registration: row?.registration }
}

const one = RUNS.slice(0, 1)

describe('the registration of a row', () => {
  it('is whole when its run was named before and came in', () => {
    const { registration, reason } = rowOf([register({ runs: one }), include(RUNS[0]!)], one)
    expect(reason).toBeNull()
    expect(registration).toMatchObject({ status: 'registered', owed: 1, received: 1 })
  })

  it.each<[string, Line[], RegExp]>([
    ['nobody registered', [include(RUNS[0]!)], /^Unregistered: 1 of 1 run /],
    [
      'another sender registered',
      [register({ runs: one, by: 'token b' }), include(RUNS[0]!)],
      /^Unregistered/,
    ],
    [
      'it was registered after it came in',
      [include(RUNS[0]!), register({ runs: one })],
      /^Unregistered/,
    ],
    [
      'another run was registered',
      [register({ runs: [RUNS[1]!] }), include(RUNS[0]!)],
      /^Unregistered/,
    ],
    [
      'it was registered after its first episode',
      [register({ runs: one, at: early(-31_000) }), include(RUNS[0]!)],
      /^Registered too late: 1 of 1 run /,
    ],
  ])('refuses when %s', (_, lines, wanted) => {
    expect(rowOf(lines, one).reason).toMatch(wanted)
  })

  it('allows clocks to differ a little', () => {
    const lines = [register({ runs: one, at: early(-200) }), include(RUNS[0]!)]
    expect(rowOf(lines, one).reason).toBeNull()
    const late = [register({ runs: one, at: early(-29_000) }), include(RUNS[0]!)]
    expect(rowOf(late, one).reason, 'its first episode had ended').toMatch(/^Registered too late/)
  })

  it('allows a slower clock if episodes name the registration, whose hash was unknown before', () => {
    const lines = [register({ runs: one, at: early(-29_000) }), include(RUNS[0]!)]
    const { hash } = write(lines)[0] as LedgerEntry
    const naming = (registrations: string[]) => ({ registrations }) as Partial<EpisodeFact>
    expect(rowOf(lines, one, naming([hash])).reason).toBeNull()
    const another = `sha256:${'0'.repeat(64)}`
    expect(rowOf(lines, one, naming([another])).reason).toMatch(/^Registered too late/)
  })

  it('an entry from before senders were recorded is unregistered', () => {
    const { action } = include(RUNS[0]!)
    const { receipt: _, ...old } = action as LedgerAction & { kind: 'include' }
    const { reason, row } = rowOf([register({ runs: one }), { action: old }], one)
    expect(reason).toMatch(/^Unregistered/)
    expect(row?.label).toBe('diagnostic')
  })

  it('says how many registered runs are in, and is whole once an administrator removed the rest', () => {
    const three = RUNS.slice(0, 3)
    const lines = [register({ runs: RUNS }), ...three.map((runId) => include(runId))]
    expect(rowOf(lines, three).reason).toBe('3 of 4 registered runs received.')
    const removed: Line = { action: { kind: 'remove', target: RUNS[3]! } }
    expect(rowOf([...lines, removed], three).reason).toBeNull()
  })

  it('owes the runs of every seed that its sender registered', () => {
    const lines = [
      register({ runs: one }),
      ...[7, 8, 9].map((seed) => register({ expected: 1, seed })),
      include(RUNS[0]!),
    ]
    expect(rowOf(lines, one).reason).toBe('1 of 4 registered runs received.')
  })

  it('owes the runs of settings that are near each other, over others in between, and of no others', () => {
    const { timeoutMs } = plan.settings
    const near = [timeoutMs + 1, Math.round(timeoutMs * 1.09), Math.round(timeoutMs * 1.18)]
    const forks = [...near, timeoutMs * 2].map((ms) => register({ expected: 1, timeoutMs: ms }))
    const { reason, registration } = rowOf(
      [...forks, register({ runs: one }), include(RUNS[0]!)],
      one,
    )
    expect(reason).toBe('1 of 4 registered runs received.')
    expect(registration?.abandoned).toBe(1)
  })

  it('says of how many other plans for the same name and model nothing came, and stays whole', () => {
    const lines = [
      register({ expected: 1, version: '1.2' }),
      register({ expected: 1, version: '1.2.3.4', by: 'token b' }),
      register({ runs: one }),
      include(RUNS[0]!),
    ]
    expect(rowOf(lines, one).registration).toMatchObject({ status: 'registered', abandoned: 1 })
  })

  it('a bare number is filled in the order of arrival, and no further', () => {
    const two = RUNS.slice(0, 2)
    const lines = [register({ expected: 1 }), ...two.map((runId) => include(runId))]
    expect(rowOf(lines, two).reason).toMatch(/^Unregistered: 1 of 2 runs /)
    expect(rowOf([register({ expected: 2 }), ...lines.slice(1)], two).reason).toBeNull()
  })

  it('a plan known by its digest alone rests on all that its sender registered so', () => {
    const others = [2, 3].map((n) =>
      blindly(register({ expected: 1 }), `sha256:${String(n).repeat(64)}`),
    )
    const own = blindly(register({ runs: one }))
    expect(rowOf([own, include(RUNS[0]!)], one).reason).toBeNull()
    expect(rowOf([...others, own, include(RUNS[0]!)], one).reason).toMatch(
      / 2 other plans by digest/,
    )
    // Plans registered later were not available to choose from.
    expect(rowOf([own, include(RUNS[0]!), ...others], one).reason).toBeNull()
  })
})
