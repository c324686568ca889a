import { createElement } from 'react'
import { expect, it } from 'vitest'
import { renderWithAddress } from '#lib/testing/factories/render-with-address.tsx'
import { sampleBoardRow } from '#lib/testing/factories/sample-board-row.ts'
import { WhoSolves } from './task-standing.tsx'

it('says the interval of each entry in words, which a drawing alone does not', () => {
  const tasks = [{ taskId: 'a', solved: 2, scored: 5, voids: 0 }]
  const props = { taskId: 'a', rows: [sampleBoardRow({ tasks })], statistics: undefined }
  const page = renderWithAddress(createElement(WhoSolves, props))
  expect(page).toContain('title="95\u00a0% confidence interval 11.8–76.9\u00a0% (Wilson)"')
  expect(page).toContain('confidence interval 11.8–76.9\u00a0%</span>')
})
