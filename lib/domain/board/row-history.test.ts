import { expect, it } from 'vitest'
import { SAMPLE_AGENT, sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import type { BoardRow } from './board-row.ts'
import { buildBoard } from './build-board.ts'
import { listChanges, rowHistory } from './row-history.ts'

function board(tasks: number, version: string, day: string, runId: string) {
  const suite = sampleBoardSuite(tasks)
  const subject = { ...SAMPLE_AGENT, version }
  const startedAt = `2026-11-${day}T00:00:00.000Z`
  const { run, facts } = sampleRun({
    suite,
    repetitions: 1,
    runId,
    subject,
    change: () => ({ startedAt }),
  })
  return buildBoard({ suite, facts, runs: [run] })
}

it('puts the rows of one name and model in order and names what changed', () => {
  const boards = [
    board(25, '1.3.0', '08', 'run_00000003'),
    board(24, '1.2.3', '02', 'run_00000001'),
    board(25, '1.2.3', '05', 'run_00000002'),
  ]
  const query = { name: 'agent-a', model: 'model-x-1' }
  const history = rowHistory(boards, query)
  expect(history.map(({ subject }) => subject.version)).toEqual(['1.2.3', '1.2.3', '1.3.0'])
  expect(history.map(({ changes }) => changes)).toEqual([[], ['suite version'], ['version']])
  expect(rowHistory([...boards].reverse(), query)).toEqual(history)
  expect(rowHistory(boards, { name: 'agent-a', model: null })).toEqual([])
})

it('names a changed setting in the words of its pages, a fault once', () => {
  const [row] = board(25, '1.3.0', '08', 'run_00000003').rows
  if (!row) throw new Error('no row')
  const settings = { ...row.settings, fault: 'overlay', timeoutMs: 1 }
  const after = { ...row, settings, recovery: { fired: 1, recovered: 1 } }
  expect(listChanges(row, after).sort()).toEqual(['fault', 'time limit'])
})

it('names a setting by its words, also one that was removed, and the arm', () => {
  const [row] = board(24, '1.2.3', '02', 'run_00000001').rows
  const plain = { ...row!, settings: { ...row!.settings, maxSteps: null } }
  const limited = {
    ...plain,
    settings: { ...plain.settings, maxSteps: 50, browser: 'cold' as const },
  }
  expect(listChanges(limited, plain)).toEqual(['max steps', 'browser'])
  expect(listChanges(plain, limited)).toEqual(['max steps', 'browser'])
  const recovery = {} as NonNullable<BoardRow['recovery']>
  const faulty = { ...plain, recovery, settings: { ...plain.settings, fault: 'overlay' } }
  expect(listChanges(faulty, plain)).toEqual(['fault'])
  expect(listChanges({ ...plain, recovery }, plain)).toEqual(['fault'])
  expect(listChanges(plain, { ...plain, subject: { ...plain.subject, arm: 'careful' } })).toEqual([
    'arm',
  ])
})
