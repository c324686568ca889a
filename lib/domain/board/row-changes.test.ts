import { describe, expect, it } from 'vitest'
import {
  numberedVersion,
  sampleRow,
  sampleTasks,
  sampleVersion,
} from '#lib/testing/factories/sample-rows.ts'
import { digestJson } from '../digest/index.ts'
import { testChanges } from '../statistics/index.ts'
import type { Board, BoardRow } from './board-row.ts'
import { listRowPairs, pickRowChanges } from './row-changes.ts'

const suite = numberedVersion(12)
const boardOf = (rows: BoardRow[], version = suite): Board => ({
  schemaVersion: 1,
  suite: {
    ...version,
    suiteId: version.suiteId,
    description: '',
    tasks: [],
    digest: rows[0]!.suiteDigest,
  },
  policyVersion: 1,
  thresholds: {} as Board['thresholds'],
  rankings: [],
  rows,
})

/** Builds an entry of agent-a on that day, with `solved` of three attempts solved on each of twelve tasks. */
function entry(day: string, solved: number, changes: Partial<BoardRow> = {}, version = suite) {
  const row = sampleRow('agent-a', version, sampleTasks(version.tasks.map(() => solved)))
  return {
    ...row,
    rowId: `row_${day}`,
    firstStartedAt: `2026-11-${day}T01:00:00.000Z`,
    lastStartedAt: `2026-11-${day}T02:00:00.000Z`,
    ...changes,
  }
}

const versionOf = (row: BoardRow, version: string) => ({ ...row.subject, version })
const armOf = (row: BoardRow, arm: string, contents = arm) => ({
  subject: { ...row.subject, arm, armDigest: digestJson(contents) },
})
const idsOf = (pairs: readonly { before: BoardRow; after: BoardRow }[]) =>
  pairs.map(({ before, after }) => [before.rowId, after.rowId])

describe('pairs of entries that can be tested for a change', () => {
  it('are consecutive in time, of one series, and say what else differs', () => {
    const [a, b, c] = [entry('01', 3), entry('05', 3), entry('03', 1)]
    b.subject = versionOf(b, '2.0.0')
    const pairs = listRowPairs([boardOf([a, b, c])], [suite])
    expect(idsOf(pairs)).toEqual([
      ['row_01', 'row_03'],
      ['row_03', 'row_05'],
    ])
    expect(pairs.map(({ changes }) => changes)).toEqual([[], ['version']])
    expect(pairs[0]).toMatchObject({ commonTasks: 12, test: { isPaired: true } })
  })

  it.each<[string, Partial<BoardRow>]>([
    ['an unranked entry', { label: 'diagnostic' }],
    ['an entry under faults', { label: 'stress' }],
    ['another model', { subject: { ...entry('02', 1).subject, modelRequested: 'other' } }],
    ['another setting', { settings: { ...entry('02', 1).settings, maxSteps: 7 } }],
    ['another sender', { voucher: 'token:abc', provenance: 'token' }],
  ])('leave out %s', (_, changes) => {
    expect(listRowPairs([boardOf([entry('01', 3), entry('02', 1, changes)])], [suite])).toEqual([])
  })

  it('leave out arms of one run, and name what an arm of the same name puts in by now', () => {
    const of = (day: string, arm: string, contents = arm) => {
      const row = entry(day, arm === 'baseline' ? 3 : 1)
      return { ...row, rowId: `${row.rowId}_${arm}`, ...armOf(row, arm, contents) }
    }
    const rows = [of('01', 'baseline'), of('01', 'careful'), of('05', 'careful', 'more careful')]
    const pairs = listRowPairs([boardOf(rows)], [suite])
    expect(idsOf(pairs)).toEqual([['row_01_careful', 'row_05_careful']])
    expect(pairs[0]?.changes).toEqual(['arm contents'])
  })

  it('keep a series whose seed changed', () => {
    const seeded = { settings: { ...entry('02', 1).settings, seed: 99 } }
    expect(listRowPairs([boardOf([entry('01', 3), entry('02', 1, seeded)])], [suite])).toHaveLength(
      1,
    )
  })

  it('are paired over the tasks that two versions of a suite share, else compare all tasks', () => {
    const contents = (changed: number) =>
      Object.fromEntries(
        suite.tasks.map(({ taskId }, index) => [taskId, index < changed ? 'new' : taskId]),
      )
    const tested = (changed: number) => {
      const later = sampleVersion('2.0.0', contents(changed))
      const [before, after] = [entry('01', 3), entry('02', 1, {}, later)]
      const [pair] = listRowPairs([boardOf([before]), boardOf([after], later)], [suite, later])
      return pair
    }
    const few = tested(4)
    expect(few).toMatchObject({ commonTasks: 8, changes: ['suite version'] })
    expect(few?.test.after.tallies).toHaveLength(8)
    const many = tested(9)
    expect(many).toMatchObject({ commonTasks: null, test: { isPaired: false } })
    expect(many?.test.after.tallies).toHaveLength(12)
  })
})

it('picks significant changes alone, newest first', () => {
  const rows = [entry('01', 3), entry('02', 3), entry('03', 0), entry('04', 3)]
  const pairs = listRowPairs([boardOf(rows)], [suite])
  const found = pickRowChanges(pairs, testChanges(pairs.map(({ test }) => test)))
  expect(idsOf(found)).toEqual([
    ['row_03', 'row_04'],
    ['row_02', 'row_03'],
  ])
  expect(found[0]).toMatchObject({ tested: 3, result: { difference: 1 } })
  expect(found[1]?.adjustedP).toBeCloseTo((3 * 2) / 2 ** 12, 12)
})

it('gives the level of its own interval to a change of an entry with interim analyses', () => {
  const looks = { kind: 'always-valid' as const, stages: 2, states: 1 }
  const topped = { ...looks, confidence: 0.99, pinnedEpisodes: 36, reason: 'a second plan' }
  const pairs = listRowPairs(
    [boardOf([entry('01', 3), entry('02', 0, { looks: topped })])],
    [suite],
  )
  const [found] = pickRowChanges(pairs, testChanges(pairs.map(({ test }) => test)))
  expect(found?.confidence).toBeCloseTo(1 - 0.05 / 6, 12)
})
