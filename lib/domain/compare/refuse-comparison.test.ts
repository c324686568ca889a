import { describe, expect, it } from 'vitest'
import type { ComparisonRefusal } from './comparison.ts'
import { refuseComparison } from './refuse-comparison.ts'
import { askFor, sampleRow, sampleTasks, sampleVersion } from './sample-rows.fixture.ts'

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
    expect(refuseComparison(askFor([a, b], suites))).toBeNull()
    const eight = Array.from({ length: 8 }, (_, n) => sampleRow(`n${n}`, first, sampleTasks([1])))
    expect(refuseComparison(askFor(eight, suites))).toBeNull()
  })

  it.each([
    ['no row', [], 'too-few-rows', /two rows or more, and none/],
    ['one row', ['row_a'], 'too-few-rows', /and one was asked for/],
    ['one row twice', ['row_a', 'row_b', 'row_a'], 'repeated-row', /twice: row_a/],
    ['an unknown row', ['row_a', 'row_nowhere', 'row_b'], 'unknown-row', /has a row row_nowhere/],
    ['nine rows', Array.from('123456789'), 'too-many-rows', /At most 8 rows .* 9 were/],
  ])('refuses %s', (_, rowIds, code, reason) => {
    const refusal = refusalOf({ rowIds, rows: [a, b, c], suites })
    expect(refusal).toMatchObject({ ok: false, code, reason: expect.stringMatching(reason) })
    expect(refusal.remedy).not.toBe('')
  })

  it('cuts what a stranger wrote for an id', () => {
    const rowIds = ['row_a', 'x'.repeat(5000)]
    expect(refusalOf({ rowIds, rows: [a], suites }).reason.length).toBeLessThan(100)
  })

  it('names the differing tasks and who ran which version, and offers what can be compared', () => {
    const refusal = refusalOf(askFor([a, later, b], suites))
    expect(refusal.code).toBe('other-version')
    expect(refusal.reason).toMatch(
      /^The rows ran different versions of Sample: a and b ran sample 1\.0\.0 \(\w{12}\); later ran sample 2\.0\.0 \(\w{12}\)\. These tasks differ: added, gone and t01\.$/,
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
    expect(refusalOf(askFor([a, later], [first, stricter])).differences).toMatchObject([
      { changed: [], onlyFrom: [], onlyTo: [], protocol: { from: 1, to: 2 } },
    ])
    const refusal = refusalOf(askFor([a, later], [first]))
    expect(refusal.differences).toEqual([])
    expect(refusal.versions.map(({ version }) => version)).toEqual(['1.0.0', null])
  })

  it('tells different suites from different versions', () => {
    const other = { ...second, suiteId: 'other', title: 'Other' }
    const foreign = sampleRow('foreign', other, sampleTasks([1]))
    const refusal = refusalOf(askFor([a, foreign], [first, other]))
    expect(refusal.code).toBe('other-suite')
    expect(refusal.reason).toMatch(/different suites: a ran sample 1\.0\.0 .*foreign ran other/)
  })
})
