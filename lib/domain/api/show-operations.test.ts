import { expect, it } from 'vitest'
import { LEADERBOARD_CSV_COLUMNS } from '../board/index.ts'
import { READ_ENDPOINTS } from './endpoints.ts'
import { buildOpenApi } from './openapi.ts'
import { listOperations, shortenExample } from './show-operations.ts'

it('shows every operation with what its parameters take', () => {
  const shown = listOperations(buildOpenApi({ publicUrl: 'http://localhost', version: '1.0.0' }))
  expect(shown.length).toBeGreaterThanOrEqual(READ_ENDPOINTS.length)
  const runs = shown.find(({ id }) => id === 'listRuns')
  expect(runs).toMatchObject({ path: '/api/v1/runs', response: 'RunList', method: 'GET' })
  expect(runs?.parameters.map(({ name, values }) => [name, values])).toEqual([
    ['suite', 'text'],
    ['limit', '1 to 500; default 50'],
    ['cursor', 'text'],
  ])
  expect(shown.find(({ id }) => id === 'getBadge')?.response).toBeNull()
  const file = shown.find(({ id }) => id === 'exportLeaderboard')?.description
  for (const name of LEADERBOARD_CSV_COLUMNS) expect(file).toContain(`\`${name}\``)
})

it('cuts lists, long texts and what lies deep', () => {
  const deep = { a: { b: { c: { d: { e: 1 } } } } }
  expect(shortenExample({ list: [1, 2, 3], none: [], text: 'x'.repeat(200), deep })).toEqual({
    list: [1, '… and 2 more'],
    none: [],
    text: `${'x'.repeat(90)}…`,
    deep: { a: { b: { c: '…' } } },
  })
})
