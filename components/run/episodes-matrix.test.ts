import { describe, expect, it } from 'vitest'
import type { EpisodeCell } from '#lib/domain/api/index.ts'
import { arrangeMatrix } from './episodes-matrix.tsx'
import { groupFailures } from './failure-summary.tsx'

const digest = `sha256:${'0'.repeat(64)}`
const plan = {
  suiteId: 'sample',
  tasks: [
    { taskId: 'b', digest, category: 'text' },
    { taskId: 'a', digest, category: 'time' },
  ],
  repetitions: 2,
}
const cell = (taskId: string, repetition: number, attempt: number): EpisodeCell => ({
  episodeId: `${taskId}-${repetition}-${attempt}`,
  taskId,
  repetition,
  attempt,
  status: attempt === 1 ? 'void' : 'solved',
  failureCategory: null,
  totalMs: 100,
})

describe('the matrix of a run', () => {
  it('keeps the plan’s order and shows every planned slot', () => {
    const rows = arrangeMatrix(plan, [])
    expect(rows.map(({ taskId }) => taskId)).toEqual(['b', 'a'])
    expect(rows.flatMap(({ slots }) => slots.map(({ last }) => last))).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  it('shows the last attempt of a slot, in whatever order attempts arrive', () => {
    const rows = arrangeMatrix(plan, [cell('a', 2, 3), cell('a', 2, 1), cell('a', 2, 2)])
    expect(rows[1]?.slots[1]).toMatchObject({ last: { attempt: 3 }, attempts: 3 })
    expect(rows[1]?.slots[0]).toMatchObject({ last: null, attempts: 0 })
  })

  it('marks the slots whose attempt runs, also a further attempt', () => {
    const running = [{ taskId: 'b', repetition: 2, attempt: 2 }]
    const [first] = arrangeMatrix(plan, [cell('b', 2, 1)], running)
    expect(first?.slots).toMatchObject([{ isRunning: false }, { isRunning: true, attempts: 1 }])
  })
})

describe('the failures of a run', () => {
  const failed = (
    taskId: string,
    repetition: number,
    change: Partial<EpisodeCell>,
  ): EpisodeCell => ({
    ...cell(taskId, repetition, 2),
    ...change,
  })

  it('are grouped by outcome and category, what occurs most first, by the last attempts alone', () => {
    const unsolved = { status: 'unsolved', failureCategory: 'test-failure' } as const
    const causes = groupFailures(plan, [
      cell('a', 1, 1),
      cell('a', 1, 2),
      failed('a', 2, { status: 'out-of-budget', failureCategory: 'timeout' }),
      failed('b', 1, unsolved),
      failed('b', 2, unsolved),
    ])
    expect(causes.map(({ failed: all, ...cause }) => ({ ...cause, count: all.length }))).toEqual([
      { status: 'unsolved', category: 'test-failure', tasks: 1, count: 2 },
      { status: 'out-of-budget', category: 'timeout', tasks: 1, count: 1 },
    ])
  })

  it('are none where every slot is solved or pending', () => {
    expect(groupFailures(plan, [cell('a', 1, 2)])).toEqual([])
  })
})
