import { expect, it } from 'vitest'
import { READ_ENDPOINTS } from './endpoints.ts'
import { buildLlmsText } from './llms-text.ts'
import { API_PREFIX } from './openapi.ts'

const suite = {
  suiteId: 'a',
  title: 'Evil](x)\n# Title',
  tasks: 2,
  rows: 3,
  controls: 1,
  ranked: 1,
}
const text = buildLlmsText({ publicUrl: 'https://board.example/', suites: [suite] })

it('has a title, a summary and links, and no title of a suite can leave its link', () => {
  expect(text).toMatch(/^# Proofboard\n\n> /)
  expect(text.match(/^# /gm)).toHaveLength(1)
  expect(text).toContain(
    '- [Evil x # Title](https://board.example/api/v1/leaderboard?suite=a): suite `a`, 2 tasks, 2 entries, 1 control, 1 ranked',
  )
})

it('names endpoints that there are', () => {
  const known = READ_ENDPOINTS.map(({ path }) => path.replace(/\{\w+\}/g, '{}'))
  const named = [...text.matchAll(/\/api\/v1(\/[\w/.{}-]+)/g)].map(([, path = '']) =>
    path.replace(/\{\w+\}/g, '{}'),
  )
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((path) => !known.includes(path))).toEqual([])
  expect(API_PREFIX).toBe('/api/v1')
})
