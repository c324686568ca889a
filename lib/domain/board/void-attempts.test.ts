import { expect, it } from 'vitest'
import { SAMPLE_AGENT, sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { POLICY } from '../eligibility/index.ts'
import type { EpisodeFact } from '../record/index.ts'
import type { BoardRow } from './board-row.ts'
import { buildBoard } from './build-board.ts'

it('keeps a row ranked whose void episodes could change a verdict', () => {
  const tasks = sampleBoardSuite(100)
  const strong = sampleRun({
    suite: tasks,
    repetitions: 2,
    runId: 'run_00000001',
    status: (task) => (task < 56 ? 'solved' : 'unsolved'),
  })
  const weak = sampleRun({
    suite: tasks,
    repetitions: 2,
    runId: 'run_00000002',
    subject: { ...SAMPLE_AGENT, name: 'agent-b' },
    status: (task, repetition) => {
      if (task >= 50 && task < 56 && repetition === 2) return 'void'
      return task < 56 ? 'solved' : 'unsolved'
    },
    change: (fact) => (fact.status === 'void' ? { verdict: null } : {}),
  })
  const facts = [...strong.facts, ...weak.facts]
  const policy = { ...POLICY, modelRepetitions: 1 }
  const { rows } = buildBoard({ suite: tasks, facts, runs: [strong.run, weak.run], policy })
  const row = rows.find(({ subject }) => subject.name === 'agent-b')
  expect(rows.map(({ label, rank }) => [label, rank?.letters])).toEqual([
    ['primary', 'A'],
    ['primary', 'A'],
  ])
  expect(row?.tasks.reduce((sum, { voids }) => sum + voids, 0)).toBe(6)
  expect(row?.voidSensitivity).toMatchObject({ allFailed: 0.53, allSolved: 0.56, voids: 6 })
})

it('reads void attempts that were retried against a verdict, too', () => {
  const tasks = sampleBoardSuite(100)
  const runs = [5, -1].map((won, index) =>
    sampleRun({
      suite: tasks,
      repetitions: 3,
      runId: `run_0000000${index + 1}`,
      subject: { ...SAMPLE_AGENT, name: `agent-${index}` },
      status: (task, repetition) =>
        task < won || (task === won && repetition === 1) ? 'solved' : 'unsolved',
    }),
  )
  const all = runs.flatMap(({ facts }) => facts)
  const build = (facts: EpisodeFact[]) =>
    buildBoard({ suite: tasks, facts, runs: runs.map(({ run }) => run) }).rows
  const lettersOf = (rows: BoardRow[]) => rows.map(({ label, rank }) => [label, rank?.letters])
  expect(lettersOf(build(all)), 'six tasks, p = 2/64').toEqual([
    ['primary', 'A'],
    ['primary', 'B'],
  ])
  // One of three against none; with the retried attempts counted against it, one of four against one of four.
  const isRetried = ({ taskId, repetition }: EpisodeFact) => taskId === 'task-6' && repetition === 3
  const before = all.filter(isRetried).map((fact) => ({
    ...fact,
    episodeId: `${fact.episodeId}-before`,
    status: 'void' as const,
    verdict: null,
  }))
  const rows = build([
    ...before,
    ...all.map((fact) => (isRetried(fact) ? { ...fact, attempt: 2 } : fact)),
  ])
  expect(rows[0]?.tasks.find(({ taskId }) => taskId === 'task-6')).toMatchObject({
    solved: 1,
    scored: 3,
    voids: 0,
    retriedVoids: 1,
  })
  expect(lettersOf(rows), 'five tasks, p = 2/32').toEqual([
    ['primary', 'A'],
    ['primary', 'A'],
  ])
})
