import { expect, it } from 'vitest'
import { buildBoard } from '#lib/domain/board/index.ts'
import { comparedSuite } from '#lib/testing/factories/compared-bundle.ts'
import { sampleRow } from '#lib/testing/factories/sample-rows.ts'
import { openSite } from './open-site.tsx'
import type { SiteInput } from './site-input.ts'

const suite = comparedSuite()
const rowOf = (name: string, solved: number) => {
  const tasks = suite.tasks.map(({ taskId }) => ({ taskId, solved, scored: 3, voids: 0 }))
  return sampleRow(name, suite, tasks)
}
const control = { ...rowOf('nop', 0), label: 'scaffold' as const }

/** A site of one board, without runs. */
function siteOf(rows: ReturnType<typeof rowOf>[]) {
  const input: SiteInput = {
    boards: [{ ...buildBoard({ suite, facts: [], runs: [] }), rows }],
    suites: [suite],
    runs: [],
    provenanceOf: () => 'local',
    read: async () => ({ state: 'missing', bytes: new Uint8Array() }),
    version: null,
    methodologyText: () => '# Title\n',
    copy: null,
  }
  return openSite(input)
}

const three = siteOf([rowOf('best', 3), rowOf('middle', 2), rowOf('worst', 0), control])
const textOf = async (path: string) => String((await three.draw(path))?.body)

it('compares each ranked entry with the next one, and no other pair', async () => {
  expect(three.paths.filter((path) => path.startsWith('compare/'))).toEqual([
    'compare/index.html',
    'compare/row_best--row_middle/index.html',
    'compare/row_middle--row_worst/index.html',
  ])
  const page = await textOf('compare/row_middle--row_worst/index.html')
  expect(page).toContain('middle is better than worst')
  expect(await textOf('compare/index.html')).toContain('href="../compare/row_best--row_middle/')
})

it('has a bounded number of comparisons', () => {
  const many = siteOf(Array.from({ length: 60 }, (_, index) => rowOf(`agent-${index}`, 2)))
  expect(many.paths.filter((path) => path.startsWith('compare/'))).toHaveLength(21)
})

it('has reports of each axis, with files of their values', async () => {
  expect(await textOf('reports/index.html')).toContain(
    'href="../reports/compared/task-completion/index.html"',
  )
  const report = await textOf('reports/compared/task-completion/index.html')
  expect(report).toContain('href="../../../api/reports/compared/task-completion.csv"')
  expect(await textOf('api/reports/compared/task-completion.csv')).toMatch(/^[^\n]+\n.*best/)
})

it('has a history of each subject', async () => {
  expect(await textOf('history/index.html')).toContain('href="../history/compared/best/')
  const path = three.paths.find((one) => one.startsWith('history/compared/best/')) ?? ''
  expect(await textOf(path)).toContain('Entries, oldest first')
})

it('has the board and its entries as the API answers them', async () => {
  const board = JSON.parse(await textOf('api/leaderboard/compared.json'))
  expect(board.rows.map(({ rowId }: { rowId: string }) => rowId)).toContain('row_best')
  expect(JSON.parse(await textOf('api/rows/row_best.json')).row.rowId).toBe('row_best')
  expect(await textOf('rows/row_best/index.html')).toContain('href="../../api/rows/row_best.json"')
})
