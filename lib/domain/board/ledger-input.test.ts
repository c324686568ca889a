import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { chainEntry, type LedgerAction, type LedgerEntry } from '../ledger/index.ts'
import type { RegradeLine } from '../record/index.ts'
import { buildBoard } from './build-board.ts'
import { boardInput, LedgerReader, ReceivedFacts, readBook } from './ledger-input.ts'

const suite = sampleBoardSuite(2)
const { run, facts } = sampleRun({ suite, repetitions: 1 })
const { runId, plan } = run
const include = (more: object = {}): LedgerAction => ({
  kind: 'include',
  target: runId,
  planDigest: plan.planDigest,
  provenance: 'token',
  shard: null,
  ...more,
})

function write(actions: readonly LedgerAction[]): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (const action of actions) {
    const draft = { author: 'a', reason: 'b', action }
    entries.push(chainEntry(entries.at(-1) ?? null, draft, { now: '2026-01-01T00:00:00.000Z' }))
  }
  return entries
}

const kept = { suite, facts, runs: [run], evaluations: [], regrades: new Map() }

function read(...actions: LedgerAction[]) {
  const input = boardInput(kept, write(actions))
  const [{ voucher, receivedUnder } = {}] = input.facts
  return { voucher, receivedUnder, order: input.runs[0]?.order }
}

it('takes the sender and the policy of the day from the ledger', () => {
  const now = include({ voucher: 'token:a', policyVersion: 4 })
  expect(read(now)).toEqual({ voucher: 'token:a', receivedUnder: 4, order: 1 })
  expect(read(include()), 'before either was recorded').toEqual({
    voucher: undefined,
    receivedUnder: null,
    order: 1,
  })
})

it('does not receive a run again when it is included again', () => {
  const first = include({ voucher: 'token:a', policyVersion: 4 })
  const removed: LedgerAction = { kind: 'remove', target: runId }
  const again = include({ voucher: 'token:a', policyVersion: 9 })
  expect(read(first, removed, again)).toMatchObject({ receivedUnder: 4, order: 1 })
  expect(read(first, removed, include({ voucher: 'token:a' }))).toMatchObject({ receivedUnder: 4 })
})

it('puts another receipt to episodes that had one, as if they never had', () => {
  const [one, ...others] = facts
  const received = new ReceivedFacts()
  received.add(one ? [one] : [])
  const entries = write([include({ voucher: 'token:a', policyVersion: 4 }), include()])
  const [sent] = received.receive(readBook(entries.slice(0, 1)))
  expect(sent).toMatchObject({ voucher: 'token:a', receivedUnder: 4, provenance: 'token' })
  received.add(others)
  expect(received.receive(readBook(entries))).toEqual(boardInput(kept, entries).facts)
  expect(received.list()).toHaveLength(facts.length)
})

it('finds the same in a ledger that grows as in the whole of it', () => {
  const target = fc.constantFrom('run_00000001', 'run_00000002', 'run_00000003')
  const sender = { provenance: 'token', voucher: 'token:a', name: 'a', bodyDigest: null } as const
  const receipt = { ...sender, receivedAt: '2026-01-01T00:00:00.000Z', frozenAt: null }
  const action = fc.oneof(
    target.map((id) => include({ target: id, receipt })),
    target.map((id): LedgerAction => ({ kind: 'remove', target: id })),
    target.map((id): LedgerAction => ({ kind: 'invalidate', target: id })),
    target.map((id): LedgerAction => ({ kind: 'reinstate', target: id })),
    fc.subarray(['run_00000001', 'run_00000002']).map(
      (ids): LedgerAction => ({
        kind: 'register',
        target: plan.planDigest,
        plan: null,
        sender,
        runs: ids.map((id) => ({ runId: id, shard: null })),
        expected: Math.max(1, ids.length),
      }),
    ),
  )
  fc.assert(
    fc.property(fc.array(action, { maxLength: 12 }), fc.array(fc.nat(3)), (actions, sizes) => {
      const entries = write(actions)
      const reader = new LedgerReader()
      let at = 0
      for (const size of sizes) {
        const before = reader.read([])
        const book = reader.read(entries.slice(at, at + size))
        at += size
        expect(book).toEqual(readBook(entries.slice(0, at)))
        const hasChanged = book.registrations.changedBy !== before.registrations.changedBy
        expect(book.registrations === before.registrations).toBe(!hasChanged)
      }
    }),
  )
})

describe('regrades', () => {
  const [{ episodeId, status, verdict }] = facts as [(typeof facts)[number]]
  const before = { status, verdict }
  const other = { status: 'unsolved', verdict: 'fail' } as const
  const regrade = (after: RegradeLine['after'], agrees = false): RegradeLine => ({
    at: '2026-01-02T00:00:00.000Z',
    episodeId,
    path: 'episodes/regrade-1.json',
    before,
    after,
    gate: { version: '1.0.0', commit: null },
    agrees,
  })
  const open = (lines: readonly RegradeLine[], of = runId, more: LedgerAction[] = []) => {
    const input = boardInput(
      { ...kept, regrades: new Map([[of, lines]]) },
      write([include(), ...more]),
    )
    const codes = buildBoard(input).rows.flatMap((row) => row.refusals.map(({ code }) => code))
    expect(codes.includes('regraded')).toBe(input.regradeDisagreements?.size === 1)
    return [...(input.regradeDisagreements ?? [])]
  }

  it('another verdict refuses the entry, until a later regrade agrees again', () => {
    expect(open([regrade(other)])).toEqual([episodeId])
    expect(open([regrade(other), regrade(before, true)])).toEqual([])
    expect(open([regrade(before, true), regrade(other)])).toEqual([episodeId])
  })

  it('a rescore to the verdict of the regrade settles it, one to another verdict does not', () => {
    const rescore = (to: 'unsolved' | 'tampered'): LedgerAction => {
      return { kind: 'rescore', target: episodeId, from: status, to, verdict: 'fail' }
    }
    expect(open([regrade(other)], runId, [rescore('unsolved')])).toEqual([])
    expect(open([regrade(other)], runId, [rescore('tampered')])).toEqual([episodeId])
  })

  it("does not take another run's word for it", () => {
    expect(open([regrade(other)], 'run_other00001')).toEqual([])
  })
})
