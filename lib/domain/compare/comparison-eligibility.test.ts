import { describe, expect, it } from 'vitest'
import {
  comparisonInputOf,
  numberedVersion,
  sampleRow,
  sampleTasks,
  sampleVersion,
} from '#lib/testing/factories/sample-rows.ts'
import type { BoardRow } from '../board/index.ts'
import type { ComparisonRefusal } from './comparison.ts'
import { decideComparisonEligibility, refuseComparison } from './comparison-eligibility.ts'
import { nameRows } from './format-comparison.ts'

const first = sampleVersion('1.0.0', { t00: 'x', t01: 'y', gone: 'z' })
const second = sampleVersion('2.0.0', { t00: 'x', t01: 'changed', added: 'w' })
const [a, b, c] = ['a', 'b', 'c'].map((name) => sampleRow(name, first, sampleTasks([1, 2])))
const later = sampleRow('later', second, sampleTasks([1, 2]))
const suites = [first, second]
if (!a || !b || !c) throw new Error('three rows were made')

const refusalOf = (question: Parameters<typeof refuseComparison>[0]): ComparisonRefusal => {
  const refusal = refuseComparison(question)
  if (!refusal) throw new Error('this was to be refused')
  return refusal
}

describe('refuseComparison', () => {
  it('has nothing against two to eight rows of one version', () => {
    expect(refuseComparison(comparisonInputOf([a, b], suites))).toBeNull()
    const eight = Array.from({ length: 8 }, (_, n) => sampleRow(`n${n}`, first, sampleTasks([1])))
    expect(refuseComparison(comparisonInputOf(eight, suites))).toBeNull()
  })

  it.each([
    ['no row', [], 'too-few-rows', /at least two entries, but none/],
    ['one row', ['row_a'], 'too-few-rows', /but one was requested/],
    ['one row twice', ['row_a', 'row_b', 'row_a'], 'repeated-row', /twice: a\./],
    [
      'an unknown row',
      ['row_a', 'row_nowhere', 'row_b'],
      'unknown-row',
      /has no entry row_nowhere/,
    ],
    ['nine rows', Array.from('123456789'), 'too-many-rows', /At most 8 entries .* 9 were/],
  ])('refuses %s', (_, rowIds, code, reason) => {
    const refusal = refusalOf({ rowIds, rows: [a, b, c], suites })
    expect(refusal).toMatchObject({ ok: false, code, reason: expect.stringMatching(reason) })
    expect(refusal.remedy).not.toBe('')
  })

  it('truncates an untrusted id', () => {
    const rowIds = ['row_a', 'x'.repeat(5000)]
    expect(refusalOf({ rowIds, rows: [a], suites }).reason.length).toBeLessThan(100)
  })

  it('names the differing tasks and who ran which version, and offers what can be compared', () => {
    const refusal = refusalOf(comparisonInputOf([a, later, b], suites))
    expect(refusal.code).toBe('other-version')
    expect(refusal.reason).toMatch(
      /^The entries ran different versions of Sample: a and b ran sample 1\.0\.0 \(\w{12}\); later ran sample 2\.0\.0 \(\w{12}\)\. These tasks differ: added, gone and t01\.$/,
    )
    expect(refusal.differences).toEqual([
      {
        from: first.digest,
        to: second.digest,
        changed: ['t01'],
        onlyFrom: ['gone'],
        onlyTo: ['added'],
        protocol: null,
      },
    ])
    expect(refusal.offers).toEqual([{ rowIds: ['row_a', 'row_b'], names: ['a', 'b'] }])
  })

  it('says when only the rules of a pass differ, and when a version is not kept here', () => {
    const stricter = { ...first, digest: second.digest, protocolVersion: 2 }
    expect(refusalOf(comparisonInputOf([a, later], [first, stricter])).differences).toMatchObject([
      { changed: [], onlyFrom: [], onlyTo: [], protocol: { from: 1, to: 2 } },
    ])
    const refusal = refusalOf(comparisonInputOf([a, later], [first]))
    expect(refusal.differences).toEqual([])
    expect(refusal.versions.map(({ version }) => version)).toEqual(['1.0.0', null])
  })

  it('tells different suites from different versions', () => {
    const other = { ...second, suiteId: 'other', title: 'Other' }
    const foreign = sampleRow('foreign', other, sampleTasks([1]))
    const refusal = refusalOf(comparisonInputOf([a, foreign], [first, other]))
    expect(refusal.code).toBe('other-suite')
    expect(refusal.reason).toMatch(/different suites: a ran sample 1\.0\.0 .*foreign ran other/)
  })
})

const suite = numberedVersion(2)
const row = (name: string, changes: Partial<BoardRow> = {}) =>
  sampleRow(name, suite, sampleTasks([1, 2]), changes)

const reasonsFor = (...rows: BoardRow[]): string[] => {
  const standing = decideComparisonEligibility(rows.map((row) => ({ name: row.subject.name, row })))
  return standing.kind === 'diagnostic' ? standing.reasons : []
}
const { settings } = row('any')

describe('decideComparisonEligibility', () => {
  it('calls claims of one kind under the same settings a claim', () => {
    expect(
      decideComparisonEligibility([row('a'), row('b')].map((r) => ({ name: r.rowId, row: r }))),
    ).toEqual({
      kind: 'claim',
      text: 'All entries are ranked, measured without faults, model-driven, and have the same settings.',
    })
    const stress = { label: 'stress', recovery: { fired: 1, recovered: 1 } } as const
    expect(reasonsFor(row('a', stress), row('b', stress))).toEqual([])
  })

  it('gives the first reason of a row that is not a claim', () => {
    const refusals = ['One.', 'Two.'].map((reason) => ({ code: 'pins', reason, remedy: '' }))
    expect(reasonsFor(row('a'), row('b', { label: 'diagnostic', refusals }))).toEqual([
      'b is not ranked: One. (and 1 more reason)',
    ])
  })

  it('names faults, drivers and settings that differ', () => {
    const stressed = row('b', { label: 'stress', recovery: { fired: 1, recovered: 0 } })
    expect(reasonsFor(row('a'), stressed)).toEqual([
      'a is measured without faults, b is measured with injected faults.',
    ])
    expect(reasonsFor(row('a'), row('b', { driven: 'scripted' }), row('c'))).toEqual([
      'b is scripted, a and c are model-driven.',
    ])
    const other = { ...settings, maxTokens: null, timeoutMs: 30_000 }
    expect(reasonsFor(row('a'), row('b', { settings: other }))).toEqual([
      'Settings differ: time limit (a 60 s; b 30 s), token budget (a 100,000; b none).',
    ])
  })

  it('does not spell out the many where the few are named', () => {
    const slow = { ...settings, timeoutMs: 30_000 }
    const rows = [row('a'), row('b', { settings: slow }), row('c'), row('d')]
    expect(reasonsFor(...rows)).toEqual(['Settings differ: time limit (b 30 s; the others 60 s).'])
  })
})

describe('nameRows', () => {
  const namesOf = (...rows: BoardRow[]) => [...nameRows(rows).values()]
  const as = (rowId: string, changes: Partial<BoardRow> = {}) => row('agent', { rowId, ...changes })
  const { subject } = row('agent')

  it('adds no more than what tells rows apart', () => {
    const newer = { ...subject, version: '2.0.0' }
    expect(namesOf(as('row_1'), as('row_2', { subject: newer }), row('other'))).toEqual([
      'agent 1.2.3',
      'agent 2.0.0',
      'other',
    ])
    expect(namesOf(as('row_1'), as('row_2', { recovery: { fired: 1, recovered: 1 } }))).toEqual([
      'agent',
      'agent with faults',
    ])
    const recovery = { fired: 1, recovered: 1 }
    const overlay = { recovery, settings: { ...settings, fault: 'overlay' } }
    const stall = { recovery, settings: { ...settings, fault: 'stall' } }
    expect(namesOf(as('row_1'), as('row_2', overlay), as('row_3', stall))).toEqual([
      'agent',
      'agent under overlay',
      'agent under stall',
    ])
    expect(namesOf(as('row_1'), as('row_2', { settings: { ...settings, maxSteps: 9 } }))).toEqual([
      'agent max steps 50',
      'agent max steps 9',
    ])
  })

  it('falls back to the row’s id', () => {
    expect(namesOf(as('row_111111x'), as('row_222222x'))).toEqual([
      'agent row_111111',
      'agent row_222222',
    ])
  })
})
