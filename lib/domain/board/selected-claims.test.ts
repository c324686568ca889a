import { describe, expect, it } from 'vitest'
import {
  SAMPLE_AGENT,
  type SampleRunOptions,
  sampleBoardSuite,
  sampleRun,
} from '#lib/testing/factories/sample-run.ts'
import { applyLedger } from '../ledger/index.ts'
import { type EpisodeFact, freezePlan } from '../record/index.ts'
import type { BoardRow } from './board-row.ts'
import { buildBoard } from './build-board.ts'

// Ways to select the results that a board receives, each with the expected refusal or notice.
const suite = sampleBoardSuite(12)
const MINE = 'token:mine'
const THEIRS = 'token:theirs'
type Made = ReturnType<typeof sampleRun>

let runs = 0
function run(voucher: string | null, options: Partial<SampleRunOptions> = {}): Made {
  runs += 1
  const { change, ...rest } = options
  return sampleRun({
    suite,
    repetitions: 3,
    runId: `run_${String(runs).padStart(8, '0')}`,
    ...rest,
    change: (fact) => ({
      ...(voucher === null ? { provenance: 'local' as const } : { voucher }),
      ...change?.(fact),
    }),
  })
}
const failed = { status: () => 'unsolved' as const }
const codes = ({ refusals }: BoardRow) => refusals.map(({ code }) => code)

function board(...made: Made[]): BoardRow[] {
  const facts = made.flatMap((one) => one.facts)
  return buildBoard({ suite, facts, runs: made.map((one, order) => ({ ...one.run, order })) }).rows
}
const bySender = (rows: BoardRow[], voucher: string | null) =>
  rows.filter((row) => row.voucher === voucher)

describe('rows of different senders', () => {
  it('are kept apart: failures that another sender adds change nothing of a row', () => {
    const own = run(null)
    const alone = board(own)
    const rows = board(own, run(THEIRS, failed))
    expect(rows).toHaveLength(2)
    const [kept] = bySender(rows, null)
    expect(kept).toMatchObject({ label: 'primary', success: { rate: 1 } })
    expect(kept?.rowId, 'links to it stay good').toBe(alone[0]?.rowId)
    expect(bySender(rows, THEIRS)[0]).toMatchObject({ success: { rate: 0 } })
  })

  it('stay apart for one episode of an unfinished plan: a row of another sender lacks nothing by it', () => {
    const own = run(MINE)
    const stray = run(THEIRS)
    const rows = board(own, { ...stray, facts: stray.facts.slice(0, 1) })
    expect(bySender(rows, MINE)[0]).toMatchObject({ label: 'primary', refusals: [] })
    expect(codes(bySender(rows, THEIRS)[0] as BoardRow)).toContain('complete')
  })

  it('keep apart what came before senders were recorded, and still know it by its old id', () => {
    const old = run(null, { change: () => ({ provenance: 'token' as const }) })
    const here = run(null)
    const [local] = board(here)
    const rows = board(here, old)
    expect(rows).toHaveLength(2)
    const legacy = rows.find(({ provenance }) => provenance === 'token')
    expect(legacy?.aliases).toEqual([local?.rowId])
    expect(legacy).not.toHaveProperty('voucher')
  })
})

describe('a row that is forked to show the better one', () => {
  it.each([
    ['a millisecond', { timeoutMs: 60_001 }],
    ['a byte of quota', { diskQuotaBytes: 1_000_001 }],
    ['another seed', { seed: 2 }],
    ['another number of attempts', { maxAttempts: 3 }],
    ['a hundredth of a dollar', { maxCostMicroUsd: 500_100 }],
    ['one step', { maxSteps: 51 }],
  ])('by %s is the same row', (_, settings) => {
    const bad = run(MINE, failed)
    const [before] = board(bad)
    const rows = board(bad, run(MINE, { settings }))
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ success: { rate: 0.5 }, siblings: { own: 0, others: 0 } })
    expect([rows[0]?.rowId, ...(rows[0]?.aliases ?? [])]).toContain(before?.rowId)
  })

  it('by settings that matter stays another row, and both say that there are two', () => {
    const rows = board(run(MINE, failed), run(MINE, { settings: { maxSteps: 100 } }))
    expect(rows.map(({ siblings }) => siblings)).toEqual([
      { own: 1, others: 0, split: 1 },
      { own: 1, others: 0, split: 1 },
    ])
    const withForeign = board(run(MINE), run(THEIRS, failed))
    expect(bySender(withForeign, MINE)[0]?.siblings).toEqual({ own: 0, others: 1 })
  })

  it('does not lose an invalidation by a new earliest episode: it stays invalidated under any of its ids', () => {
    const first = run(MINE)
    const [row] = board(first)
    const earlier = run(MINE, {
      settings: { seed: 9 },
      change: () => ({ startedAt: '2026-11-01T00:30:00.000Z' }),
    })
    const at = '2026-11-20T10:00:00.000Z'
    const invalidated = new Map([[row?.rowId ?? '', { sequence: 1, at, reason: 'Wrong machine.' }]])
    const facts = [...first.facts, ...earlier.facts]
    const ledger = { ...applyLedger([]), invalidated }
    const rows = buildBoard({ suite, facts, runs: [first.run, earlier.run], ledger }).rows
    expect(rows).toHaveLength(1)
    expect(rows[0]?.rowId).not.toBe(row?.rowId)
    expect(codes(rows[0] as BoardRow)).toContain('invalidated')
  })

  it('says when it mixes machines, compilers and limits', () => {
    const on = (machine: Record<string, string>) => () => ({
      origin: { harness: { version: '0.1.0', commit: 'a' }, machine, tests: null, marks: [] },
    })
    const one = run(MINE, { change: on({ system: 'linux x64', typescript: '5.9.3' }) })
    const other = run(MINE, {
      change: on({ system: 'darwin arm64', typescript: '5.8.0' }),
      settings: { maxSteps: 52 },
    })
    expect(board(one)[0]).not.toHaveProperty('mixed')
    expect(board(one, other)[0]?.mixed).toEqual([
      { what: 'maxSteps', values: ['50', '52'] },
      { what: 'system', values: ['darwin arm64', 'linux x64'] },
      { what: 'typescript', values: ['5.8.0', '5.9.3'] },
    ])
  })
})

describe('a row that is told twice', () => {
  const marked = (fact: EpisodeFact) => ({
    origin: {
      harness: { version: '0.1.0', commit: 'a' },
      machine: {},
      tests: null,
      marks: [`at:${fact.taskId} ${fact.repetition}`],
    },
  })

  it('under other run ids is not a claim', () => {
    const copies = Array.from({ length: 10 }, () => run(MINE, { change: marked }))
    const [row, ...more] = board(...copies)
    expect(more).toEqual([])
    expect(codes(row as BoardRow)).toContain('independent')
    expect(row?.refusals.find(({ code }) => code === 'independent')?.reason).toContain(
      '324 of 360 episodes are copies of',
    )
  })

  it('by another sender or under another name is the copy, whichever reports an earlier start', () => {
    const own = run(MINE, { change: marked })
    const stolen = run(THEIRS, {
      subject: { ...SAMPLE_AGENT, name: 'agent-z' },
      change: (fact) => ({ ...marked(fact), startedAt: '2026-10-01T00:00:00.000Z' }),
    })
    const rows = board(own, stolen)
    expect(bySender(rows, MINE)[0]?.label).toBe('primary')
    expect(codes(bySender(rows, THEIRS)[0] as BoardRow)).toContain('independent')
  })

  it('is not suspected for one coincidence', () => {
    const own = run(MINE, { change: marked })
    const lucky = run(MINE, {
      subject: { ...SAMPLE_AGENT, name: 'agent-z' },
      change: (fact) => (fact.taskId === 'task-1' && fact.repetition === 1 ? marked(fact) : {}),
    })
    expect(board(own, lucky).map(({ label }) => label)).toEqual(['primary', 'primary'])
  })
})

describe('a row under a name that is not its own', () => {
  const subject = (change: object) => ({ subject: { ...SAMPLE_AGENT, ...change } })

  it.each([
    ['another case of the name', { name: 'Agent-A' }],
    ['a look-alike in the model id', { modelRequested: 'm\u043edel-x-1' }],
    ['another case of the model id', { modelRequested: 'Model-X-1' }],
    ['another case of the provider', { provider: 'Anthropic' }],
  ])('(%s) is not a claim, and the row that was here first stays one', (_, change) => {
    const rows = board(run(MINE), run(THEIRS, subject(change)))
    expect(bySender(rows, MINE)[0]?.label).toBe('primary')
    expect(codes(bySender(rows, THEIRS)[0] as BoardRow)).toContain('identity')
  })

  it('cannot take a name away from what was run here, however early it came', () => {
    const rows = board(run(THEIRS, subject({ name: 'Agent-A' })), run(null))
    expect(bySender(rows, null)[0]?.label).toBe('primary')
    expect(codes(bySender(rows, THEIRS)[0] as BoardRow)).toContain('identity')
  })

  it('with a shipped agent’s name and another definition is not a claim', () => {
    const [row] = board(run(MINE, subject({ name: 'claude', adapterVersion: 'prompt 3' })))
    expect(codes(row as BoardRow)).toEqual(['identity'])
    const [kept] = board(
      run(MINE, {
        ...subject({ name: 'claude', adapterVersion: 'prompt 3' }),
        change: () => ({ receivedUnder: null }),
      }),
    )
    expect(kept?.label, 'kept before names were held against definitions').toBe('primary')
  })

  it('told as a library on an exercise suite, so that pins are skipped, is not a claim', () => {
    const library = { kind: 'library' as const, modelRequested: null }
    const made = run(MINE, { ...subject(library), change: () => ({ modelObserved: [] }) })
    const rows = buildBoard({
      suite: { ...suite, kind: 'exercise' as const },
      facts: made.facts,
      runs: [made.run],
    }).rows
    expect(codes(rows[0] as BoardRow)).toEqual(['subject-kind', 'harness'])
  })
})

describe('a row under rules of its own', () => {
  const by = (harness: string, verifier: string) => () => ({
    origin: { harness: { version: harness, commit: 'a' }, machine: {}, tests: null, marks: [] },
    grading: {
      visible: true,
      heldOut: null,
      verifier: {
        sandbox: 'bubblewrap' as const,
        network: 'none' as const,
        digest: `sha256:${verifier.repeat(64)}` as const,
      },
    },
  })

  it('made by a fork of harness or verifier is not a claim from outside; this server’s own programs are known', () => {
    expect(codes(board(run(MINE, { change: by('9.9.9', 'a') }))[0] as BoardRow)).toContain(
      'harness',
    )
    const [fork] = board(run(MINE, { change: by('0.1.0', 'b') }))
    expect(fork?.refusals.find(({ code }) => code === 'harness')?.reason).toContain('sha256:bbbb')
    const here = run(null, {
      change: by('9.9.9', 'b'),
      subject: { ...SAMPLE_AGENT, name: 'other' },
    })
    const rows = board(here, run(MINE, { change: by('9.9.9', 'b') }))
    expect(rows.map(({ label }) => label)).toEqual(['primary', 'primary'])
  })

  it('planned under an older policy is not a claim when it comes in now, and stays one when it came in then', () => {
    const late = run(MINE)
    const { planDigest: _, frozenAt, schemaVersion: __, ...draft } = late.run.plan
    const plan = freezePlan({ ...draft, policyVersion: 3 }, { now: frozenAt })
    const asPlanned = (change: Partial<EpisodeFact>) => ({
      run: { ...late.run, plan },
      facts: late.facts.map((fact) => ({ ...fact, planDigest: plan.planDigest, ...change })),
    })
    const [now] = board(asPlanned({ receivedUnder: 4 }))
    expect(codes(now as BoardRow)).toEqual(['policy-version'])
    const [then] = board(asPlanned({ receivedUnder: null }))
    expect(then).toMatchObject({ label: 'primary', planPolicies: [3] })
  })

  it('run twice a task by a model is not a claim, three times it is', () => {
    const [twice] = board(run(MINE, { repetitions: 2 }))
    expect(twice?.label).toBe('smoke')
    expect(twice?.refusals[0]?.reason).toContain('need 3 scored episodes of every task')
    expect(board(run(MINE))[0]?.label).toBe('primary')
  })

  it('whose failures were called cancelled and tried again counts them like void ones', () => {
    const made = run(MINE)
    const tried = made.facts.map((fact) => ({ ...fact, attempt: 2 }))
    const lost = made.facts.slice(0, 6).map((fact) => ({
      ...fact,
      episodeId: `${fact.episodeId}x`,
      status: 'cancelled' as const,
      verdict: null,
    }))
    const [row] = board({ ...made, facts: [...tried, ...lost] })
    expect(codes(row as BoardRow)).toEqual(['void-attempts'])
  })

  it('under faults is measured against a baseline under its own settings', () => {
    const fault = { fired: true, recovered: true }
    const stress = { settings: { fault: 'rate-limit@2' }, change: () => ({ fault }) }
    const equal = board(run(MINE), run(MINE, stress))
    expect(equal.map(({ label }) => label).sort()).toEqual(['primary', 'stress'])
    const isStress = ({ recovery }: BoardRow) => recovery !== null
    const other = board(run(MINE, { settings: { maxSteps: 500 } }), run(MINE, stress)).find(
      isStress,
    )
    expect(codes(other as BoardRow)).toEqual(['fault-baseline'])
    const foreign = board(run(THEIRS), run(MINE, stress)).find(isStress)
    expect(codes(foreign as BoardRow)).toEqual(['fault-baseline'])
  })
})
