import { describe, expect, it } from 'vitest'
import { applyLedger } from './apply-ledger.ts'
import type { LedgerAction } from './ledger-entry.ts'
import { chainEntry, type LedgerEntry, targetKind } from './ledger-entry.ts'
import { type CorrectionTarget, refuseCorrection } from './refuse-correction.ts'

const RUN = 'run_a1b2c3d4'
const SUBJECT = { provider: null, modelRequested: null }
const ROW = `row_${'a'.repeat(24)}`
const EPISODE = `ep_${'b'.repeat(32)}`
const INCLUDE: LedgerAction = {
  kind: 'include',
  target: RUN,
  planDigest: `sha256:${'0'.repeat(64)}`,
  provenance: 'local',
  shard: null,
}
const rescore = (change: Partial<LedgerAction & { kind: 'rescore' }> = {}): LedgerAction => ({
  kind: 'rescore',
  target: EPISODE,
  from: 'unsolved',
  to: 'solved',
  verdict: 'pass',
  ...change,
})

function standing(
  target: string,
  earlier: readonly LedgerAction[] = [],
  more: Partial<CorrectionTarget> = {},
): CorrectionTarget {
  const entries: LedgerEntry[] = []
  for (const action of earlier) {
    const draft = { author: 'a', reason: 'b', action }
    entries.push(chainEntry(entries.at(-1) ?? null, draft, { now: '2026-01-01T00:00:00.000Z' }))
  }
  const kind = targetKind(target)
  const ending = { status: 'unsolved', verdict: 'fail', findings: 0 } as const
  return {
    kind,
    exists: true,
    isIncluded: true,
    ending: kind === 'episode' ? ending : null,
    state: applyLedger(entries),
    ...more,
  }
}

const on = (kind: 'remove' | 'invalidate' | 'reinstate' | 'resolve-findings', target: string) =>
  ({ kind, target }) satisfies LedgerAction

describe('refuseCorrection', () => {
  it.each([
    [on('remove', RUN), []],
    [INCLUDE, [on('remove', RUN)]],
    [on('remove', RUN), [on('remove', RUN), INCLUDE]],
    [on('invalidate', RUN), []],
    [on('invalidate', ROW), []],
    [on('invalidate', EPISODE), [on('invalidate', EPISODE), on('reinstate', EPISODE)]],
    [on('reinstate', ROW), [on('invalidate', ROW)]],
    [rescore(), []],
    [rescore({ from: 'solved', to: 'unsolved', verdict: 'fail' }), [rescore()]],
  ])('allows %j', (action, earlier) => {
    expect(refuseCorrection(action, standing(action.target, earlier))).toBeNull()
  })

  it.each<[LedgerAction, LedgerAction[], string]>([
    [on('remove', RUN), [on('remove', RUN)], 'already removed, by ledger entry 1'],
    [on('remove', ROW), [], 'takes a run'],
    [on('remove', 'nonsense'), [], 'takes a run (run_…), not "nonsense"'],
    [INCLUDE, [], 'already counts'],
    [on('invalidate', ROW), [on('invalidate', ROW)], 'already invalidated'],
    [on('reinstate', ROW), [], 'is not invalidated'],
    [on('reinstate', ROW), [on('invalidate', ROW), on('reinstate', ROW)], 'is not invalidated'],
    [rescore({ from: 'void' }), [], 'ended unsolved, not void'],
    [rescore({ verdict: 'fail' }), [], 'exactly when its verdict is pass'],
    [rescore({ to: 'void', verdict: 'pass' }), [], 'exactly when its verdict is pass'],
    [rescore({ to: 'unsolved', verdict: 'fail' }), [], 'with this verdict already'],
    [rescore(), [rescore()], 'ended solved, not unsolved'],
    [rescore(), [on('invalidate', EPISODE)], 'reinstate it first'],
    [on('resolve-findings', EPISODE), [], 'found nothing'],
    [on('resolve-findings', RUN), [], 'takes an episode'],
  ])('refuses %j', (action, earlier, words) => {
    expect(refuseCorrection(action, standing(action.target, earlier))).toContain(words)
  })

  it('refuses what is not kept, what never counted and what the server writes', () => {
    const nowhere = { exists: false, isIncluded: false }
    expect(refuseCorrection(on('remove', RUN), standing(RUN, [], nowhere))).toContain('no run')
    const empty = standing(RUN, [], { isIncluded: false })
    expect(refuseCorrection(on('remove', RUN), empty)).toContain('has no episode')
    const seal: LedgerAction = { kind: 'seal-run', target: RUN, episodes: 0, digest: DIGEST }
    expect(refuseCorrection(seal, standing(RUN))).toContain('by the server itself')
  })

  it('resolves findings once', () => {
    const found = { ending: { status: 'tampered', verdict: null, findings: 2 } as const }
    const action = on('resolve-findings', EPISODE)
    expect(refuseCorrection(action, standing(EPISODE, [], found))).toBeNull()
    expect(refuseCorrection(action, standing(EPISODE, [action], found))).toContain('already')
  })
})

const DIGEST = `sha256:${'0'.repeat(64)}` as const

it('accepts only a pinned library of one’s own', () => {
  const accept: LedgerAction = { kind: 'accept-library', target: ROW }
  const subject = { kind: 'library', name: 'mine', version: '1.0.0' } as const
  const of = (adapterVersion: string) =>
    refuseCorrection(
      accept,
      standing(ROW, [], { subject: { ...SUBJECT, ...subject, adapterVersion } }),
    )
  expect(of(`file.1.${'a'.repeat(12)}+${'b'.repeat(12)}`)).toBeNull()
  expect(of('1')).toContain('there is nothing to accept')
  expect(refuseCorrection(accept, standing(ROW, [accept]))).toContain('already accepted')
})
