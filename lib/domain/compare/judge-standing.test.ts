import { describe, expect, it } from 'vitest'
import type { BoardRow } from '../board/board-row.ts'
import { judgeStanding } from './judge-standing.ts'
import { nameRows } from './name-rows.ts'
import { numberedVersion, sampleRow, sampleTasks } from './sample-rows.fixture.ts'

const suite = numberedVersion(2)
const row = (name: string, changes: Partial<BoardRow> = {}) =>
  sampleRow(name, suite, sampleTasks([1, 2]), changes)

const reasonsFor = (...rows: BoardRow[]): string[] => {
  const standing = judgeStanding(rows.map((row) => ({ name: row.subject.name, row })))
  return standing.kind === 'diagnostic' ? standing.reasons : []
}
const { settings } = row('any')

describe('judgeStanding', () => {
  it('calls claims of one kind under the same settings a claim', () => {
    expect(judgeStanding([row('a'), row('b')].map((r) => ({ name: r.rowId, row: r })))).toEqual({
      kind: 'claim',
      text: 'Every row is a claim, measured without faults, driven by a model, under the same settings.',
    })
    const stress = { label: 'stress', recovery: { fired: 1, recovered: 1 } } as const
    expect(reasonsFor(row('a', stress), row('b', stress))).toEqual([])
  })

  it('gives the first reason of a row that is no claim', () => {
    const refusals = ['One.', 'Two.'].map((reason) => ({ code: 'pins', reason, remedy: '' }))
    expect(reasonsFor(row('a'), row('b', { label: 'diagnostic', refusals }))).toEqual([
      'b is diagnostic: One. (and 1 more)',
    ])
  })

  it('names faults, drivers and settings that differ', () => {
    const stressed = row('b', { label: 'stress', recovery: { fired: 1, recovered: 0 } })
    expect(reasonsFor(row('a'), stressed)).toEqual(['a is plain, b is measured under faults.'])
    expect(reasonsFor(row('a'), row('b', { driven: 'scripted' }), row('c'))).toEqual([
      'b is scripted, a and c are driven by a model.',
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
      'agent under faults',
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
