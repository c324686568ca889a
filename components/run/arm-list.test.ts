import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ArmCounts } from '#lib/domain/board/index.ts'
import { ArmList } from './arm-list.tsx'

const counts = (arm: string, more: Partial<ArmCounts> = {}): ArmCounts => ({
  arm,
  planned: 6,
  attempts: 5,
  scored: 4,
  solved: 3,
  voids: 1,
  ...more,
})
const seen = (yes: number, known: number) => ({
  episodes: 4,
  offered: { yes, known },
  used: { yes, known },
})

/** The cells of the table, row by row. */
function cellsOf(list: readonly ArmCounts[]): string[][] {
  const props = { arms: [], rows: [], counts: list, suiteId: 'small' }
  const html = renderToStaticMarkup(createElement(ArmList, props))
  return html
    .split('<tr')
    .slice(2)
    .map((line) => [...line.matchAll(/<t[hd][^>]*>([^<]*)</g)].map(([, text = '']) => text))
}

it('has a line for each arm: attempts, solved, and whether its content was used', () => {
  expect(
    cellsOf([
      counts('baseline'),
      counts('careful', { activation: seen(2, 3) }),
      counts('blind', { activation: seen(0, 0) }),
      counts('waiting', { attempts: 0, scored: 0, solved: 0 }),
    ]),
  ).toEqual([
    ['baseline', '5 of 6 planned', '3 of 4', '–'],
    ['careful', '5 of 6 planned', '3 of 4', '2 of 3, unknown in 1'],
    ['blind', '5 of 6 planned', '3 of 4', 'unknown'],
    ['waiting', '0 of 6 planned', '–', '–'],
  ])
})

it('has no table where nothing was counted', () => {
  expect(cellsOf([])).toEqual([])
})
