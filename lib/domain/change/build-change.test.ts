import { describe, expect, it } from 'vitest'
import {
  comparisonInputOf,
  numberedVersion,
  sampleRow,
  sampleTasks,
  sampleVersion,
} from '#lib/testing/factories/sample-rows.ts'
import type { BoardRow, ResultRow, RowTask } from '../board/index.ts'
import { buildComparison } from '../compare/index.ts'
import { buildChange } from './build-change.ts'
import { type ChangedPair, type ChangeReport, changeReportSchema } from './change-report.ts'

const TASKS = 20
const suite = numberedVersion(TASKS)
const counts = (solved: (task: number) => number, scored = 5) =>
  sampleTasks(
    Array.from({ length: TASKS }, (_, task) => solved(task)),
    scored,
  )
const withCosts = (tasks: readonly RowTask[], microUsd: number): RowTask[] =>
  tasks.map((task) => ({
    ...task,
    spent: {
      subjectMs: 1000 * task.scored,
      tokens: null,
      costMicroUsd: microUsd * task.scored,
      solvedCostMicroUsd: null,
    },
  }))
const asResult = (row: BoardRow): ResultRow => ({ row, counted: [], suiteKnown: true })

function change(baseline: readonly BoardRow[], candidate: readonly BoardRow[], suites = [suite]) {
  const side = (name: string, rows: readonly BoardRow[]) => ({
    name,
    runIds: rows.flatMap(({ runIds }) => runIds),
    rows: rows.map(asResult),
  })
  return buildChange({
    baseline: side('base', baseline),
    candidate: side('head', candidate),
    suites,
  })
}

function onlyPair({ pairs: [pair] }: ChangeReport): ChangedPair {
  if (!pair?.ok) throw new Error('the pair was to be compared')
  return pair
}

const good = counts(() => 5)
const poor = counts((task) => (task % 2 === 0 ? 1 : 2))

describe('buildChange', () => {
  it('has the numbers of the compare page for the same two rows', () => {
    const rows = [
      sampleRow('old', suite, poor),
      sampleRow(
        'new',
        suite,
        counts((task) => task % 6),
      ),
    ]
    const [before, after] = rows as [BoardRow, BoardRow]
    const page = buildComparison(comparisonInputOf([after, before], [suite]))
    const { comparison } = onlyPair(change([before], [after]))
    expect(comparison).toEqual(page)
  })

  it('compares one subject before and after, which a board would hold as one row', () => {
    const report = change([sampleRow('same', suite, good)], [sampleRow('same', suite, poor)])
    expect(report.verdict).toBe('worse')
    const { comparison, isNoWorse } = onlyPair(report)
    expect(comparison.rows.map(({ name }) => name)).toEqual(['same (head)', 'same (base)'])
    expect(comparison.pairs[0]?.sentence).toMatch(
      /^same \(head\) is worse than same \(base\) on these tasks/,
    )
    expect(comparison.pairs[0]?.flipped).toHaveLength(TASKS)
    expect(isNoWorse).toBe(false)
  })

  it('says how many more runs would decide, and nothing of it once it is decided', () => {
    const some = counts((task) => task % 6)
    const undecided = change([sampleRow('a', suite, some)], [sampleRow('b', suite, some)])
    expect(undecided.verdict).toBe('cannot-tell')
    expect(onlyPair(undecided).decide).toMatchObject({
      difference: 0.1,
      text: expect.stringMatching(/ would decide a difference of 10 points \(80 % power\)/),
    })
    expect(
      onlyPair(change([sampleRow('a', suite, poor)], [sampleRow('b', suite, good)])).decide,
    ).toBeNull()
  })

  it('gives costs per success with the interval of the board, and their ratio; unknown is null', () => {
    const dear = sampleRow('dear', suite, withCosts(good, 4000))
    const cheap = sampleRow('cheap', suite, withCosts(good, 1000))
    const { cost, tokens } = onlyPair(change([dear], [cheap])).spending
    expect(cost).toEqual({
      baseline: { value: 4000, low: 4000, high: 4000 },
      candidate: { value: 1000, low: 1000, high: 1000 },
      ratio: { value: 0.25, low: 0.25, high: 0.25 },
      reason: null,
    })
    expect(tokens).toEqual({
      baseline: null,
      candidate: null,
      ratio: null,
      reason: 'unknown for some scored episodes',
    })
  })

  it('corrects for the pairs that it shows and no others, and matches by name', () => {
    const names = ['a', 'b', 'c']
    const before = names.map((name) => sampleRow(name, suite, poor))
    const after = [...names, 'new'].map((name) => sampleRow(name, suite, good))
    const report = change(before, after.toReversed())
    expect(report.pairs.map((pair) => pair.ok && pair.comparison.multiplicity.tested)).toEqual([
      3, 3, 3,
    ])
    expect(report.unmatched.candidate).toEqual([expect.stringContaining('new')])
    expect(report.verdict).toBe('better')
  })

  it('refuses another version of the suite by its rule, and names the tasks', () => {
    const ids = Object.fromEntries(suite.tasks.map(({ taskId }) => [taskId, taskId]))
    const other = sampleVersion('2.0.0', { ...ids, t00: 'changed' })
    const report = change(
      [sampleRow('a', suite, poor)],
      [sampleRow('a', other, good)],
      [suite, other],
    )
    expect(report.verdict).toBe('not-comparable')
    expect(report.pairs).toEqual([
      expect.objectContaining({
        ok: false,
        code: 'other-version',
        reason: expect.stringContaining('These tasks differ: t00.'),
      }),
    ])
  })

  it('names what keeps a row from being ranked, unequal tasks, and excluded attempts', () => {
    const refusal = { code: 'samples', reason: 'Too few.', remedy: 'Run more.' }
    const [first, ...rest] = good
    const tasks = [{ ...(first as RowTask), scored: 0, solved: 0, voids: 2 }, ...rest]
    const row = sampleRow('b', suite, tasks, { label: 'smoke', refusals: [refusal] })
    const { refusals, notes, comparison } = onlyPair(change([sampleRow('a', suite, good)], [row]))
    expect(refusals).toEqual([{ row: 'b', ...refusal }])
    expect(notes).toEqual(['Scored only in a, and left out: t00.'])
    expect(comparison.notes.join(' ')).toContain('2 attempts of b excluded from scoring;')
  })

  it('is what its schema says', () => {
    const report = change([sampleRow('a', suite, poor)], [sampleRow('b', suite, good)])
    expect(changeReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report)
  })
})
