import { describe, expect, it } from 'vitest'
import { numberedVersion, sampleRow, sampleTasks } from '#lib/testing/factories/sample-rows.ts'
import { sampleBoardSuite } from '#lib/testing/factories/sample-run.ts'
import type { Task } from '../tasks/index.ts'
import type { BoardRow } from './board-row.ts'
import { modelledRows, taskStatistics, verifierErrors } from './task-statistics.ts'

const suite = numberedVersion(2)
const control: BoardRow['subject'] = {
  kind: 'control',
  name: 'reference',
  version: '1',
  adapterVersion: null,
  provider: null,
  modelRequested: null,
}
const reference = (name: string, solved: number[], scored: number, changes = {}) =>
  sampleRow(name, suite, sampleTasks(solved, scored), {
    subject: control,
    label: 'scaffold',
    ...changes,
  })

describe('verifierErrors', () => {
  it('counts references that were not solved, over all of this server’s rows', () => {
    const rows = [reference('one', [4, 3], 4), reference('two', [1, 0], 1)]
    const { falseNegatives } = verifierErrors(rows, [])
    expect(falseNegatives).toMatchObject({
      episodes: 10,
      failed: 2,
      rate: 0.2,
      tasks: 2,
      runs: 2,
      failing: [{ taskId: 't01', failed: 2, episodes: 5 }],
    })
    // Clopper and Pearson, 2 of 10.
    expect(falseNegatives?.low).toBeCloseTo(0.0252107, 6)
    expect(falseNegatives?.high).toBeCloseTo(0.5560955, 6)
  })

  it('bounds what was never seen', () => {
    const { falseNegatives } = verifierErrors([reference('one', [10, 10], 10)], [])
    expect(falseNegatives).toMatchObject({ failed: 0, rate: 0, low: 0, failing: [] })
    expect(falseNegatives?.high).toBeCloseTo(1 - 0.025 ** (1 / 20), 9)
  })

  it('takes no reference that was sent from elsewhere, ran under a fault, or is another subject', () => {
    const rows = [
      reference('sent', [0, 0], 4, { provenance: 'token' }),
      reference('agent', [0, 0], 4, { subject: { ...control, kind: 'agent' } }),
      reference('nop', [0, 0], 4, { subject: { ...control, name: 'nop' } }),
    ]
    const [sent] = rows as [BoardRow]
    const faulty = { ...sent, provenance: 'local' as const }
    rows.push({ ...faulty, settings: { ...faulty.settings, fault: 'rate-limit@2' } })
    expect(verifierErrors(rows, []).falseNegatives).toBeNull()
  })

  it('adds the mutants of the tasks up; null where none was measured', () => {
    const figures = {
      mutants: 12,
      compiled: 10,
      caughtByVisible: 7,
      caughtByHeldOut: 8,
      surviving: 1,
      wrong: 4,
      wrongCaught: 3,
      isStale: false,
    }
    const tasks: Task[] = sampleBoardSuite(3).tasks
    const measured = tasks.map((task, place) =>
      place < 2 ? { ...task, mutation: { ...figures, isStale: place === 1 } } : task,
    ) as Task[]
    expect(verifierErrors([], measured).falsePositives).toEqual({
      mutants: 20,
      surviving: 2,
      rate: 0.1,
      wrong: 8,
      wrongPassed: 2,
      tasks: 2,
      stale: 1,
    })
    expect(verifierErrors([], tasks).falsePositives).toBeNull()
  })
})

describe('taskStatistics', () => {
  const ids = ['t00', 't01']
  const claim = (name: string, solved: number[], changes: Partial<BoardRow> = {}) =>
    sampleRow(name, suite, sampleTasks(solved, 4), changes)

  it('looks at ranked rows and at model-driven ones that this server ran', () => {
    const rows = [
      claim('a', [4, 4], { provenance: 'token' }),
      claim('b', [4, 2], { label: 'smoke' }),
      claim('c', [4, 0], { driven: 'scripted' }),
      claim('smoke from elsewhere', [0, 4], { label: 'smoke', provenance: 'token' }),
      claim('stress', [0, 4], { label: 'stress' }),
      claim('mock', [0, 4], { label: 'scaffold' }),
      reference('reference', [0, 4], 4),
    ]
    const found = taskStatistics(rows, ids)
    expect(found.rows).toBe(3)
    expect(found.tasks).toEqual([
      { taskId: 't00', rows: 3, mean: 1, solvedBy: 'all', discrimination: null },
      { taskId: 't01', rows: 3, mean: 0.5, solvedBy: 'some', discrimination: null },
    ])
  })

  it('says nothing of single tasks with two rows', () => {
    const found = taskStatistics([claim('a', [4, 0]), claim('b', [4, 0])], ids)
    expect(found).toMatchObject({ rows: 2, fewestRows: 3 })
    expect(found.tasks.map(({ solvedBy }) => solvedBy)).toEqual([null, null])
  })
})

describe('modelledRows', () => {
  const old = numberedVersion(12)
  const current = { ...numberedVersion(10), digest: 'sha256:current' }
  const full = (name: string, solved: number) =>
    sampleRow(name, current, sampleTasks(Array(10).fill(solved)))
  const versions = (rows: BoardRow[], before: BoardRow[] = []) => [
    { digest: current.digest, tasks: current.tasks, rows },
    { digest: old.digest, tasks: old.tasks, rows: before },
  ]

  it('sets entries of an older version and of a subset beside the others', () => {
    const part = sampleRow('part', current, sampleTasks(Array(6).fill(3)), { label: 'diagnostic' })
    const before = sampleRow('before', old, sampleTasks(Array(12).fill(2)))
    const found = modelledRows(versions([full('a', 1), full('b', 2), part], [before]))
    expect(found.map(({ rowId, measured, predicted }) => [rowId, measured, predicted])).toEqual([
      ['row_part', 6, 4],
      ['row_b', 10, 0],
      ['row_before', 10, 0],
      ['row_a', 10, 0],
    ])
  })

  it('takes no control, no uploaded diagnostic row, and says nothing where nothing is predicted', () => {
    expect(modelledRows(versions([full('a', 1), full('b', 2), full('c', 3)]))).toEqual([])
    const sent = sampleRow('sent', current, sampleTasks(Array(6).fill(3)), {
      label: 'diagnostic',
      provenance: 'token',
    })
    expect(modelledRows(versions([full('a', 1), full('b', 2), full('c', 3), sent]))).toEqual([])
    expect(modelledRows([])).toEqual([])
  })
})

describe('the best entries', () => {
  it('are separated by the tasks on which they differ by half or more', () => {
    const rows = [
      sampleRow('a', suite, sampleTasks([4, 4], 4)),
      sampleRow('b', suite, sampleTasks([3, 1], 4)),
    ]
    const ids = suite.tasks.map(({ taskId }) => taskId)
    expect(taskStatistics(rows, ids).top).toEqual({ rows: 2, separating: 1 })
    expect(taskStatistics(rows.slice(1), ids).top).toBeUndefined()
  })
})
