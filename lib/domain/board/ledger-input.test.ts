import { expect, it } from 'vitest'
import { chainEntry, type LedgerAction, type LedgerEntry } from '../ledger/index.ts'
import { sampleBoardSuite, sampleRun } from './build-sample-run.ts'
import { boardInput } from './ledger-input.ts'

const suite = sampleBoardSuite(2)
const { run, facts } = sampleRun({ suite, repetitions: 1 })
const { runId, plan } = run
const include = (more: object = {}): LedgerAction => ({
  ...{
    kind: 'include',
    target: runId,
    planDigest: plan.planDigest,
    provenance: 'token',
    shard: null,
  },
  ...more,
})

function read(...actions: LedgerAction[]) {
  const entries: LedgerEntry[] = []
  for (const action of actions) {
    const draft = { author: 'a', reason: 'b', action }
    entries.push(chainEntry(entries.at(-1) ?? null, draft, { now: '2026-01-01T00:00:00.000Z' }))
  }
  const input = boardInput({ suite, facts, runs: [run], evaluations: [] }, entries)
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
