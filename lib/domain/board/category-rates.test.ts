import { expect, it } from 'vitest'
import { categoryRates } from './category-rates.ts'

const counts = (taskId: string, solved: number, scored = 4) => ({
  taskId,
  solved,
  scored,
  voids: 0,
})

it('gives each category its own interval, wider where an entry has interim analyses', () => {
  const tasks = [counts('a', 4), counts('b', 2), counts('c', 0), counts('d', 0, 0)]
  const suite = [
    ...['a', 'b', 'c'].map((taskId) => ({ taskId, category: 'text' })),
    { taskId: 'd', category: 'never run' },
  ]
  const [text, none] = categoryRates({ tasks, looks: undefined }, suite)
  expect(text).toMatchObject({ category: 'text', rate: 0.5, tasks: 3, shape: '3 × 4' })
  expect(text?.low).toBeLessThan(0.2)
  expect(text?.high).toBeGreaterThan(0.8)
  expect(none).toBeUndefined()
  const uneven = [counts('a', 4), counts('b', 2, 2)]
  expect(categoryRates({ tasks: uneven, looks: undefined }, suite)[0]?.shape).toBe('2 × 2–4')
  const looks = { kind: 'always-valid' as const, stages: 2, states: 1 }
  const topped = { ...looks, confidence: 0.999, pinnedEpisodes: 12, reason: 'a second plan' }
  expect(categoryRates({ tasks, looks: topped }, suite)[0]?.low).toBeLessThan(text?.low ?? 0)
})
