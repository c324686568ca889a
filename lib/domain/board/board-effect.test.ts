import { expect, it } from 'vitest'
import { SAMPLE_AGENT, sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { compareBoards, describeRowEffect } from './board-effect.ts'
import { buildBoard } from './build-board.ts'

const suite = sampleBoardSuite(12)
const strong = sampleRun({ suite, repetitions: 5, runId: 'run_00000001' })
const weak = sampleRun({
  suite,
  repetitions: 5,
  runId: 'run_00000002',
  subject: { ...SAMPLE_AGENT, name: 'agent-b' },
  status: (task) => (task < 4 ? 'solved' : 'unsolved'),
})

function board(...runs: readonly ReturnType<typeof sampleRun>[]) {
  return buildBoard({
    suite,
    facts: runs.flatMap(({ facts }) => facts),
    runs: runs.map(({ run }) => run),
  })
}

it('a new entry: its side, its rank, and the rank of the entry that it moves', () => {
  const { rows, unchanged, more } = compareBoards(board(weak), board(weak, strong))
  expect([unchanged, more]).toEqual([0, 0])
  expect(rows.map(describeRowEffect)).toEqual([['new entry', 'rank 1'], ['rank 1 → 2']])
  expect(rows[0]).toMatchObject({ before: null, after: { episodes: 60, rate: 1 }, lost: [] })
})

it('more episodes: rate with its interval before and after, and a rank that is gained by them', () => {
  const few = { ...strong, facts: strong.facts.filter(({ repetition }) => repetition === 1) }
  const { rows, unchanged } = compareBoards(board(few, weak), board(strong, weak))
  const [row] = rows
  expect(row && describeRowEffect(row)).toEqual(['48 more episodes', 'gets ranked: 1'])
  expect(row?.gained.map(({ code }) => code)).toContain('complete')
  expect(row?.lost).toEqual([])
  expect(row?.before?.low).toBeLessThan(row?.after?.low ?? 0)
  expect(rows.length + unchanged).toBe(2)
})

it('a rank that is lost names the rule, an entry that goes says so, and equal boards have no effect', () => {
  const doubtful = { ...strong, facts: strong.facts.map((fact) => ({ ...fact, findings: 1 })) }
  const [row] = compareBoards(board(strong), board(doubtful)).rows
  expect(row && describeRowEffect(row)).toEqual(['loses its rank'])
  expect(row?.lost.length).toBeGreaterThan(0)
  const [gone] = compareBoards(board(strong), board()).rows
  expect(gone && describeRowEffect(gone)).toEqual(['leaves the board'])
  expect(compareBoards(board(strong), board(strong))).toEqual({ rows: [], more: 0, unchanged: 1 })
})

it('the first results of a suite: every entry is new', () => {
  const { rows } = compareBoards(null, board(strong))
  expect(rows.map(({ before }) => before)).toEqual([null])
})
