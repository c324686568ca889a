import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { digestBytes } from '../digest/index.ts'
import { applyLedger, correctFacts, EMPTY_LEDGER } from './apply-ledger.ts'
import type { LedgerAction } from './ledger-entry.ts'
import {
  chainEntry,
  compareVersions,
  findBrokenLink,
  findChangedEntry,
  type LedgerEntry,
} from './ledger-entry.ts'

function write(...actions: LedgerAction[]): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (const action of actions) {
    const draft = { author: 'tester', reason: 'because', action }
    entries.push(chainEntry(entries.at(-1) ?? null, draft, { now: '2026-01-01T00:00:00.000Z' }))
  }
  return entries
}

const remove = (target: string): LedgerAction => ({ kind: 'remove', target })
const threeEntries = () => write(remove('run_a'), remove('run_b'), remove('run_c'))

describe('findBrokenLink', () => {
  it('finds nothing wrong with a chain as it was written', () => {
    expect(findBrokenLink(threeEntries())).toBeNull()
    expect(findBrokenLink([])).toBeNull()
  })

  it('goes on behind an entry', () => {
    const [first, second, third] = threeEntries()
    expect(findBrokenLink([second!, third!], first)).toBeNull()
    expect(findBrokenLink([third!], first)?.problem).toBe(
      'entry 2 is missing: found entry 3 in its place',
    )
  })

  it('and each entry says by its own hash whether it was changed', () => {
    const [first, , third] = threeEntries()
    expect(findChangedEntry([third!, first!])).toBeNull()
    expect(findChangedEntry([third!, { ...first!, reason: 'becausf' }])).toBe(
      'entry 1 was changed after it was written',
    )
  })

  const edited = (change: Partial<LedgerEntry>) => (all: LedgerEntry[]) =>
    all.map((entry) => (entry.sequence === 2 ? { ...entry, ...change } : entry))

  it.each<[string, (all: LedgerEntry[]) => LedgerEntry[], number]>([
    ['reason', edited({ reason: 'becausf' }), 2],
    ['time', edited({ at: '2026-01-01T00:00:00.001Z' }), 2],
    ['author', edited({ author: 'Tester' }), 2],
    ['action', edited({ action: remove('run_B') }), 2],
    ['hash', (all) => edited({ hash: all[0]!.hash })(all), 2],
    ['removal', (all) => all.filter(({ sequence }) => sequence !== 2), 2],
    ['order', (all) => [all[1]!, all[0]!, all[2]!], 1],
    ['repetition', (all) => [all[0]!, all[0]!, all[1]!, all[2]!], 2],
  ])('finds a tampered %s', (_, tamper, place) => {
    expect(findBrokenLink(tamper(threeEntries()))?.place).toBe(place)
  })

  it('finds a tail that was rewritten completely', () => {
    const forged = write(remove('run_a'), remove('run_x'), remove('run_c'))
    const mixed = [...threeEntries().slice(0, 2), forged[2]!]
    expect(findBrokenLink(mixed)?.place).toBe(3)
  })
})

describe('applyLedger', () => {
  it('lets the last word on a target hold', () => {
    const state = applyLedger(
      write(
        remove('run_a'),
        {
          kind: 'include',
          target: 'run_a',
          planDigest: `sha256:${'0'.repeat(64)}`,
          provenance: 'local',
          shard: null,
        },
        { kind: 'invalidate', target: 'row_1' },
        { kind: 'invalidate', target: 'row_2' },
        { kind: 'reinstate', target: 'row_2' },
        { kind: 'resolve-findings', target: 'ep_1' },
      ),
    )
    expect([...state.removed.keys()]).toEqual([])
    expect([...state.invalidated.keys()]).toEqual(['row_1'])
    expect([...state.resolvedFindings.keys()]).toEqual(['ep_1'])
  })
})

describe('correctFacts', () => {
  const { facts } = sampleRun({ suite: sampleBoardSuite(3), repetitions: 1 })
  const [first, second] = facts as [(typeof facts)[0], (typeof facts)[0]]

  it('changes nothing without corrections', () => {
    expect(correctFacts(facts, EMPTY_LEDGER)).toEqual(facts)
  })

  it('drops removed runs, voids invalidated episodes, replaces rescored endings', () => {
    expect(correctFacts(facts, applyLedger(write(remove(first.runId))))).toEqual([])
    const state = applyLedger(
      write(
        { kind: 'invalidate', target: first.episodeId },
        {
          kind: 'rescore',
          target: second.episodeId,
          from: 'solved',
          to: 'unsolved',
          verdict: 'fail',
        },
      ),
    )
    expect(correctFacts(facts, state).map(({ status, verdict }) => [status, verdict])).toEqual([
      ['void', null],
      ['unsolved', 'fail'],
      ['solved', 'pass'],
    ])
  })

  it('a rescored episode passed both parts of its grading or neither', () => {
    const grading = { visible: true, heldOut: true, verifier: null }
    const graded = facts.map((fact) => ({ ...fact, grading }))
    const state = applyLedger(
      write({
        kind: 'rescore',
        target: second.episodeId,
        from: 'solved',
        to: 'unsolved',
        verdict: 'fail',
      }),
    )
    expect(correctFacts(graded, state).map((fact) => fact.grading)).toEqual([
      grading,
      { ...grading, visible: false, heldOut: false },
      grading,
    ])
  })
})

const version = (tasks: Record<string, string>) => ({
  suiteId: 's',
  digest: digestBytes(JSON.stringify(tasks)),
  tasks: Object.entries(tasks).map(([taskId, text]) => ({ taskId, digest: digestBytes(text) })),
})

it('tells changed, added and removed tasks apart', () => {
  const one = version({ b: '1', a: '1', c: '1' })
  const two = version({ d: '1', a: '2', b: '1' })
  expect(compareVersions(one, two)).toEqual({
    kind: 'task-version',
    target: 's',
    from: one.digest,
    to: two.digest,
    changed: ['a'],
    added: ['d'],
    removed: ['c'],
  })
  expect(compareVersions(null, one)).toMatchObject({ from: null, added: ['a', 'b', 'c'] })
})
