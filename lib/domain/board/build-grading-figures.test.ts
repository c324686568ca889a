import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../canonical-json.ts'
import { digestBytes } from '../digest.ts'
import type { Verifier } from '../environment.ts'
import type { OutcomeStatus } from '../outcome.ts'
import { boardSchema } from './board-row.ts'
import { buildBoard } from './build-board.ts'
import { buildGradingFigures } from './build-grading-figures.ts'
import { sampleRun, sampleSuite } from './build-sample-run.ts'
import type { EpisodeFact } from './episode-fact.ts'
import type { Grading } from './grading-fact.ts'
import { commonVerifier } from './grading-figures.ts'

const suite = sampleSuite(4)
const VERIFIER: Verifier = { sandbox: 'bubblewrap', network: 'none', digest: digestBytes('v') }

type Ending = [OutcomeStatus, Partial<Grading> | null]

/** One row's facts, an ending a task. */
function run(...endings: Ending[]): ReturnType<typeof sampleRun> {
  return sampleRun({
    suite,
    repetitions: 1,
    status: (task) => endings[task]?.[0] ?? 'void',
    change: ({ taskId }): Partial<EpisodeFact> => {
      const given = endings[Number(taskId.slice('task-'.length)) - 1]?.[1]
      return given
        ? { grading: { visible: true, heldOut: null, verifier: VERIFIER, ...given } }
        : {}
    },
  })
}

const figuresOf = (...endings: Ending[]) => buildGradingFigures(run(...endings).facts)

describe('buildGradingFigures', () => {
  it('counts both results, a solution that was never graded as neither', () => {
    expect(
      figuresOf(
        ['solved', { heldOut: true }],
        ['unsolved', { heldOut: false }],
        ['unsolved', { visible: false, heldOut: false }],
        ['out-of-budget', null],
      ),
    ).toEqual({
      scored: 4,
      visiblePassed: 2,
      heldOutScored: 3,
      heldOutPassed: 1,
      tasks: 4,
      heldOutTasks: 3,
      verifiers: [{ ...VERIFIER, episodes: 3 }],
    })
  })

  it('has no held-out result where no task has a transcript', () => {
    expect(figuresOf(['solved', {}], ['unsolved', { visible: false }])).toMatchObject({
      ...{ scored: 2, visiblePassed: 1, heldOutScored: 0, heldOutPassed: null },
      ...{ tasks: 2, heldOutTasks: 0 },
    })
  })

  it('counts nothing that is void, and is absent where nothing was graded', () => {
    expect(figuresOf(['void', { heldOut: true }], ['solved', {}])).toMatchObject({
      ...{ scored: 1, tasks: 1, heldOutTasks: 0 },
    })
    expect(figuresOf(['void', {}])).toBeUndefined()
    expect(figuresOf(['solved', null])).toBeUndefined()
  })

  it('names every verifier, and what they have in common', () => {
    const other = { ...VERIFIER, digest: digestBytes('w') }
    const mixed = figuresOf(['solved', {}], ['solved', { verifier: other }], ['solved', {}])
    expect(mixed?.verifiers.map(({ episodes }) => episodes).sort()).toEqual([1, 2])
    expect(mixed && commonVerifier(mixed, 'sandbox')).toBe('bubblewrap')
    expect(mixed && commonVerifier(mixed, 'digest')).toBe('mixed')
    const unknown = figuresOf(['solved', { verifier: null }])
    expect(unknown?.verifiers).toEqual([
      { sandbox: null, network: null, digest: null, episodes: 1 },
    ])
    expect(unknown && commonVerifier(unknown, 'network')).toBeNull()
  })
})

it('stands on the board, the same whatever the order of the episodes', () => {
  const { run: planned, facts } = run(
    ['solved', { heldOut: true }],
    ['solved', { verifier: null, heldOut: true }],
    ['unsolved', { heldOut: false, verifier: { ...VERIFIER, sandbox: 'none' } }],
  )
  const board = buildBoard({ suite, facts, runs: [planned] })
  expect(board.rows[0]?.grading).toMatchObject({ scored: 3, visiblePassed: 3, heldOutPassed: 2 })
  expect(boardSchema.parse(JSON.parse(canonicalJson(board)))).toEqual(board)
  const turned = buildBoard({ suite, facts: [...facts].reverse(), runs: [planned] })
  expect(canonicalJson(turned)).toBe(canonicalJson(board))
})

it('leaves a board without graded solutions as it was', () => {
  const { run: planned, facts } = sampleRun({ suite, repetitions: 1 })
  expect(canonicalJson(buildBoard({ suite, facts, runs: [planned] }))).not.toContain('grading')
})
