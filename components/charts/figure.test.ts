import { expect, it } from 'vitest'
import { rankPoolOf } from '#lib/domain/board/index.ts'
import { sampleBoardRow } from '../board/sample-board-row.ts'
import { costDrawing, costPoints } from './cost-figure.ts'
import { NARROW, type SvgNode, WIDE } from './drawing.ts'
import { toChartEntries } from './figure.ts'
import { successFigure } from './range-figure.ts'

const scripted = { driven: 'scripted' } as const
const entries = toChartEntries(
  [
    sampleBoardRow({ rowId: 'model', driven: 'llm' }),
    sampleBoardRow({ rowId: 'one', ...scripted }),
    sampleBoardRow({ rowId: 'two', ...scripted }),
    sampleBoardRow({ rowId: 'apart', label: 'smoke', rank: null }),
  ],
  rankPoolOf,
)

it('lists the groups of entries in the order of the board, the largest first', () => {
  const rows = successFigure(entries)?.table.slice(1) ?? []
  expect([...new Set(rows.map(([group]) => group))]).toEqual([
    'Ranked, scripted',
    'Ranked',
    'Unranked',
  ])
})

/** The elements of a drawing that are text. */
const textNodes = (nodes: readonly SvgNode[]): SvgNode[] =>
  nodes.flatMap((node) => [
    ...(node.tag === 'text' ? [node] : []),
    ...textNodes(node.children ?? []),
  ])

it('sets the names of entries off from the lines that they stand on', () => {
  const drawings = [
    costDrawing(costPoints(entries), { width: WIDE, scale: 'log', unit: 'USD' }),
    successFigure(entries)?.draw(NARROW),
  ]
  for (const drawing of drawings) {
    const names = textNodes(drawing?.nodes ?? []).filter(({ text }) => text?.startsWith('claude'))
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter(({ stroke }) => stroke !== 'surface')).toEqual([])
  }
})
