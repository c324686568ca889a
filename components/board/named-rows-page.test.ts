import { createElement } from 'react'
import { expect, it } from 'vitest'
import { renderWithAddress } from '#lib/testing/factories/render-with-address.tsx'
import { sampleBoardRow } from '#lib/testing/factories/sample-board-row.ts'
import { NamedRowsPage } from './named-rows-page.tsx'

const entry = (name: string, changes: { isCurrent?: boolean; fault?: string } = {}) => {
  const { fault, isCurrent = true } = changes
  const sample = sampleBoardRow()
  return {
    row: {
      ...sample,
      rowId: `${name} ${isCurrent}`,
      subject: { ...sample.subject, name },
      settings: { ...sample.settings, fault },
      runIds: [`run of ${name}`],
    },
    suiteTitle: 'Suite',
    isCurrent,
    categories: ['a', 'b'].map((category) => ({
      category,
      rate: 1,
      low: 0.2,
      high: 1,
      tasks: 2,
      shape: '2 × 3',
    })),
  }
}

const pageOf = (kind: 'agent' | 'model', rows: ReturnType<typeof entry>[]) =>
  renderWithAddress(
    createElement(NamedRowsPage, { kind, found: { name: 'x', rows, outcomes: [] } }),
  )

it('says whose rate stands for a model', () => {
  const html = pageOf('model', [entry('first'), entry('second')])
  expect(html.split('Suite · first').length - 1).toBeGreaterThanOrEqual(2)
  expect(html).toContain('100.0\u00a0%')
})

it('counts entries of earlier versions, whose episodes it counts too', () => {
  const old = entry('first', { isCurrent: false })
  expect(pageOf('agent', [entry('first'), old])).toContain(
    '1 current entry and 1 of earlier versions',
  )
  expect(pageOf('agent', [entry('first')])).not.toContain('earlier')
})

it('names the fault of a run', () => {
  expect(pageOf('agent', [entry('first', { fault: 'overlay' })])).toMatch(/overlay · \d{4}-/)
})
