import { expect, it } from 'vitest'
import type { AxisColumn } from '#lib/domain/reports/index.ts'
import { SAMPLE_AGENT } from '#lib/testing/factories/sample-run.ts'
import { describeFinding } from './axis-list.tsx'

const column: AxisColumn = {
  id: 'share',
  title: 'Success',
  unit: 'share',
  role: 'primary',
  meaning: 'The mean over tasks.',
}
const rowOf = (name: string, value: number | null, driven: 'llm' | 'scripted' = 'llm') => ({
  driven,
  subject: { ...SAMPLE_AGENT, name, version: null, modelRequested: null },
  values: { share: { value, low: 0.1, high: 0.9, tasks: 25, episodes: 75, method: '' } },
})
const findingOf = (...claims: ReturnType<typeof rowOf>[]) =>
  describeFinding({ columns: [column], claims })

it('names the highest and the lowest ranked entry with their intervals', () => {
  expect(findingOf(rowOf('a', 0.5), rowOf('b', 0.75), rowOf('c', null))).toBe(
    'Success: from 50.0\u00a0% (10.0–90.0) for a to 75.0\u00a0% (10.0–90.0) for b, among 2 ranked model-driven entries.',
  )
  expect(findingOf(rowOf('a', 0.5))).toBe(
    'Success: 50.0\u00a0% (10.0–90.0) for a, the only ranked model-driven entry.',
  )
  expect(findingOf()).toBeNull()
})

it('never puts entries of different pools in one order', () => {
  const script = rowOf('script', 0.9, 'scripted')
  expect(findingOf(script, rowOf('a', 0.5))).toMatch(/for a, the only ranked model-driven entry/)
  expect(findingOf(script)).toMatch(/for script, the only ranked scripted entry/)
})

it('speaks of the larger pool, as the board does, and tells entries of one name apart', () => {
  const scripts = ['x', 'y'].map((name) => rowOf(name, 0.9, 'scripted'))
  expect(findingOf(rowOf('a', 0.5), ...scripts)).toMatch(/among 2 ranked scripted entries\.$/)
  expect(
    describeFinding({ columns: [column], claims: [{ ...rowOf('a', 0.5), fault: 'overlay' }] }),
  ).toContain('for a · overlay,')
})
