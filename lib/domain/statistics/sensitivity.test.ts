import { describe, expect, it } from 'vitest'
import { leaveCategoryOut, leaveTaskOut } from './sensitivity.ts'
import type { TaskCounts } from './task-counts.ts'

const tallies: TaskCounts[] = [
  { taskId: 'a', solved: 4, scored: 4 },
  { taskId: 'b', solved: 2, scored: 4 },
  { taskId: 'c', solved: 0, scored: 4 },
]

describe('leaveTaskOut', () => {
  it('names the tasks without which the rate is lowest and highest', () => {
    expect(leaveTaskOut(tallies)).toEqual({
      parts: 3,
      least: { rate: 0.25, without: 'a', alike: 0 },
      most: { rate: 0.75, without: 'c', alike: 0 },
    })
  })

  it('counts the tasks that would give the same, thirds included', () => {
    const even = ['z', 'y', 'x'].map((taskId) => ({ taskId, solved: 1, scored: 3 }))
    const range = leaveTaskOut([...even, { taskId: 'a', solved: 3, scored: 3 }])
    expect(range?.least).toEqual({ rate: 1 / 3, without: 'a', alike: 0 })
    expect(range?.most).toMatchObject({ without: 'x', alike: 2 })
    expect(range?.most.rate).toBeCloseTo(5 / 9, 12)
  })

  it('leaves out tasks without a scored episode, and needs two others', () => {
    const idle = { taskId: 'idle', solved: 0, scored: 0 }
    expect(leaveTaskOut([...tallies, idle])).toEqual(leaveTaskOut(tallies))
    expect(leaveTaskOut([{ taskId: 'a', solved: 4, scored: 4 }, idle])).toBeNull()
    expect(leaveTaskOut([])).toBeNull()
  })
})

describe('leaveCategoryOut', () => {
  const categoryOf = (taskId: string) => (taskId === 'c' ? 'hard' : 'easy')

  it('leaves out all tasks of a category at once', () => {
    expect(leaveCategoryOut(tallies, categoryOf)).toEqual({
      parts: 2,
      least: { rate: 0, without: 'easy', alike: 0 },
      most: { rate: 0.75, without: 'hard', alike: 0 },
    })
  })

  it('says nothing of a suite with one category', () => {
    expect(leaveCategoryOut(tallies, () => 'easy')).toBeNull()
  })
})
