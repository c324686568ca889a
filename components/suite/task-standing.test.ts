import { createElement } from 'react'
import { expect, it } from 'vitest'
import { sampleBoardRow } from '../board/sample-board-row.fixture.ts'
import { renderWithAddress } from '../table/render-with-address.tsx'
import { WhoSolves } from './task-standing.tsx'

it('says the interval of each entry in words, which a drawing alone does not', () => {
  const tasks = [{ taskId: 'a', solved: 2, scored: 5, voids: 0 }]
  const props = { taskId: 'a', rows: [sampleBoardRow({ tasks })], statistics: undefined }
  const page = renderWithAddress(createElement(WhoSolves, props))
  expect(page).toContain('title="95 % confidence interval 11.8–76.9 % (Wilson)"')
  expect(page).toContain('confidence interval 11.8–76.9 %</span>')
})
