import { describe, expect, it } from 'vitest'
import { sampleBoardRow, tableRow } from '#lib/testing/factories/sample-board-row.ts'
import {
  boardAddress,
  countFolded,
  filterRows,
  firstRows,
  loadBoardView,
  rankedPools,
  splitRows,
} from './board-view.ts'

const rows = [
  sampleBoardRow({ rowId: 'a' }),
  sampleBoardRow({
    rowId: 'b',
    label: 'scaffold',
    subject: { ...sampleBoardRow().subject, kind: 'control', name: 'nop', modelRequested: null },
  }),
  sampleBoardRow({ rowId: 'c', subject: { ...sampleBoardRow().subject, arm: 'careful' } }),
  sampleBoardRow({ rowId: 'd', subject: { ...sampleBoardRow().subject, arm: 'baseline' } }),
].map(tableRow)
const ids = (view: Record<string, string>) =>
  filterRows(rows, loadBoardView(view)).map(({ id }) => id)

it('shows the first rows of all bands, and how many each band has', () => {
  const ranked = { ...tableRow(sampleBoardRow({ rowId: 'z' })), pool: 'primary/llm' as const }
  const bands = firstRows(splitRows([...rows.map((row) => ({ ...row, pool: null })), ranked]), 3)
  expect(bands.map(({ band, rows: some, total }) => [band.id, some.length, total])).toEqual([
    ['ranked', 1, 1],
    ['unranked', 2, 4],
  ])
  expect(firstRows(bands, 1)).toHaveLength(1)
  // A link to an entry opens it, whatever its position.
  const open = firstRows(splitRows(rows, rows), 1, ['d'])
  expect(open.flatMap(({ rows: some }) => some.map(({ id }) => id))).toEqual(['a', 'd'])
})

it('begins with the band that says who wins on the whole board, whichever rows are shown', () => {
  const of = (rowId: string, pool: 'primary/llm' | 'primary/scripted' | 'stress/llm' | null) => ({
    ...tableRow(sampleBoardRow({ rowId })),
    pool,
  })
  const board = [
    ...[of('a', 'primary/llm'), of('b', 'primary/scripted'), of('c', 'primary/scripted')],
    ...[of('d', 'stress/llm'), of('e', null)],
  ]
  const order = (shown: typeof board) => splitRows(shown, board).map(({ band }) => band.pool)
  expect(order(board)).toEqual(['primary/scripted', 'primary/llm', 'stress/llm', null])
  expect(order(board.slice(0, 2))).toEqual(['primary/scripted', 'primary/llm'])
})

it('lets the largest pool say who wins, and never one under faults while there is another', () => {
  const [llm, script, stress] = ['primary/llm', 'primary/scripted', 'stress/llm'] as const
  expect(rankedPools([llm, null, script, script, stress, stress, stress])).toEqual([script, llm])
  expect(rankedPools([script, llm])).toEqual([llm, script])
  expect(rankedPools([null, stress])).toEqual([stress])
  expect(rankedPools([null])).toEqual([])
})

describe('the view in the address bar', () => {
  it('filters by words, label and kind', () => {
    expect(ids({ q: 'SONNET claude' })).toEqual(['a', 'c', 'd'])
    expect(ids({ q: 'sonnet nop' })).toEqual([])
    expect(ids({ label: 'scaffold,smoke' })).toEqual(['b'])
    expect(ids({ kind: 'agent' })).toEqual(['a', 'c', 'd'])
  })

  it('lists controls when they are asked for', () => {
    expect(ids({})).toEqual(['a', 'c', 'd'])
    expect(ids({ kind: 'control' })).toEqual(['b'])
    expect(ids({ q: 'nop' })).toEqual(['b'])
    expect(ids({ open: 'b' })).toEqual(['a', 'b', 'c', 'd'])
    expect(ids({ base: 'b' })).toEqual(['a', 'b', 'c', 'd'])
    const controls = rows.filter(({ subject }) => subject.kind === 'control')
    expect(filterRows(controls, loadBoardView({}))).toEqual([])
    expect(filterRows(controls, loadBoardView({ kind: 'control' }))).toEqual(controls)
    expect(countFolded(controls, loadBoardView({}))).toBe(controls.length)
    const folded = (view: Record<string, string>) => countFolded(rows, loadBoardView(view))
    expect([{}, { q: ' ' }].map(folded)).toEqual([1, 1])
    expect([{ open: 'b' }, { q: 'claude' }, { kind: 'agent' }].map(folded)).toEqual([0, 0, 0])
  })

  it('filters by arm, and names the arm on its row', () => {
    expect(ids({ arm: 'careful' })).toEqual(['c'])
    expect(ids({ arm: 'careful', kind: 'control' })).toEqual([])
    expect(ids({ arm: 'care' })).toEqual([])
    expect(boardAddress(loadBoardView({ arm: 'careful' }))).toBe('/?arm=careful')
    expect(rows.map(({ subject }) => [subject.arm, subject.under])).toEqual([
      ...[null, null].map((none) => [none, none]),
      ...['careful', 'baseline'].map((arm) => [arm, arm]),
    ])
  })

  it('filters by the words of a column', () => {
    const model = rows[0]?.subject.model ?? ''
    expect(ids({ f: `model:${model}` })).toEqual(['a', 'c', 'd'])
    expect(ids({ f: 'model:none' })).toEqual([])
    expect(ids({ f: 'constructor:x' })).toEqual([])
  })

  it('takes what it cannot parse as absent', () => {
    const view = loadBoardView({
      sort: 'constructor.desc',
      label: 'x',
      kind: 'y',
      chart: 'z',
      hide: 'rank',
    })
    expect(view).toMatchObject({
      sort: [],
      label: [],
      kind: null,
      chart: 'success',
    })
    expect(loadBoardView({}).hide).toBeNull()
    expect(loadBoardView({ hide: '' }).hide).toEqual([])
    expect(loadBoardView({ sort: 'cost.desc,date.asc' }).sort).toEqual([
      { id: 'cost', desc: true },
      { id: 'date', desc: false },
    ])
  })
})
