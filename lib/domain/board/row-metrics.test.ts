import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import {
  SAMPLE_LIBRARY_ERROR,
  sampleBrowser,
  sampleEpisode,
} from '../../testing/factories/samples.ts'
import { canonicalJson, digestBytes } from '../digest/index.ts'
import { browserFact } from '../record/episode-fact.ts'
import {
  type BrowserRecord,
  type EpisodeFact,
  episodeFact,
  type Grading,
  listKinds,
  type OutcomeStatus,
  type Subject,
  type Verifier,
} from '../record/index.ts'
import { boardSchema } from './board-row.ts'
import { buildBoard } from './build-board.ts'
import { buildBrowserMetrics, buildGradingMetrics, buildTaskRecovery } from './row-metrics.ts'
import { commonVerifier } from './row-words.ts'

const suite = sampleBoardSuite(4)
const LIBRARY: Subject = {
  kind: 'library',
  name: 'lib-a',
  version: '1.2.3',
  adapterVersion: '1',
  provider: null,
  modelRequested: null,
  targeting: 'css',
}

type BrowserEnding = [OutcomeStatus, Partial<BrowserRecord>]

/** Builds one row's facts, with one ending per task. */
function factsOf(...endings: BrowserEnding[]): EpisodeFact[] {
  const { facts } = sampleRun({
    suite,
    repetitions: 1,
    subject: LIBRARY,
    status: (task) => endings[task]?.[0] ?? 'void',
    change: ({ taskId }) => {
      const changes = endings[Number(taskId.slice('task-'.length)) - 1]?.[1]
      const browser = changes && browserFact({ browser: sampleBrowser(changes) })
      return browser ? { browser } : {}
    },
  })
  return facts
}

describe('buildBrowserMetrics', () => {
  it('keeps apart what the library said and what the contract said', () => {
    const figures = buildBrowserMetrics(
      factsOf(
        ['solved', {}],
        ['solved', { libraryError: SAMPLE_LIBRARY_ERROR }],
        ['unsolved', {}],
        ['unsolved', { libraryError: SAMPLE_LIBRARY_ERROR }],
      ),
    )
    expect(figures).toMatchObject({ episodes: 4, falseSuccess: 1, successWithError: 1 })
  })

  it('takes an episode that ran out of its budget for no false success', () => {
    expect(buildBrowserMetrics(factsOf(['out-of-budget', {}]))?.falseSuccess).toBe(0)
  })

  it('counts what a library shows over the solved episodes alone, and only when all are known', () => {
    const solved = (resultTokens: number | null): BrowserEnding => ['solved', { resultTokens }]
    const failed: BrowserEnding = ['unsolved', { resultTokens: 9000 }]
    expect(buildBrowserMetrics(factsOf(solved(100), solved(300), failed))).toMatchObject({
      resultTokensPerSolved: 200,
    })
    expect(buildBrowserMetrics(factsOf(solved(100), solved(null)))).toMatchObject({
      resultTokensPerSolved: null,
    })
    expect(buildBrowserMetrics(factsOf(failed))?.resultTokensPerSolved).toBeNull()
  })

  it('counts rungs, and the time to detect where something was detected', () => {
    const climbed = (rung: 'automatic' | 'retry', detectMs: number | null): BrowserEnding => [
      'solved',
      { recovery: { fault: 'overlay', rung, detectMs } },
    ]
    const facts = factsOf(climbed('automatic', null), climbed('retry', 200), climbed('retry', 400))
    expect(buildBrowserMetrics(facts)).toMatchObject({
      rungs: { automatic: 1, retry: 2, 'given-up': 0 },
      detectMs: { p50: 300, episodes: 2 },
    })
    expect(buildTaskRecovery(facts.slice(1, 2))).toMatchObject({ detectMs: 200 })
    expect(buildTaskRecovery(factsOf(['solved', {}]))).toBeUndefined()
  })

  it('leaves void episodes and episodes without a browser out', () => {
    expect(buildBrowserMetrics(factsOf(['void', { connectMs: 9 }]))).toBeUndefined()
    expect(buildBrowserMetrics(sampleRun({ suite, repetitions: 1 }).facts)).toBeUndefined()
  })
})

describe('what is kept of an episode', () => {
  it('has no browser group unless a browser took part', () => {
    for (const browser of [undefined, null]) {
      const fact = episodeFact(sampleEpisode({ browser }), 'local')
      expect(canonicalJson(fact)).not.toContain('browser')
    }
    expect(episodeFact(sampleEpisode({ browser: sampleBrowser() }), 'local').browser).toMatchObject(
      {
        connectMs: 250,
        libraryError: false,
      },
    )
  })

  it('is not pinned without the exact version of the browser', () => {
    const { environment } = sampleEpisode()
    const unpinned = (browser: typeof environment.browser) =>
      episodeFact(
        sampleEpisode({ browser: sampleBrowser(), environment: { ...environment, browser } }),
        'local',
      ).unpinned
    expect(unpinned({ name: 'Chromium', version: '156.0.8078.79' })).toEqual([])
    for (const browser of [
      null,
      { name: 'Chromium', version: '' },
      { name: ' ', version: '156.0.8078.79' },
      { name: 'Chromium', version: '156' },
      { name: 'Chromium', version: 'stable' },
      { name: 'Chromium', version: '156.0.x' },
    ]) {
      expect(unpinned(browser)).toEqual(['environment.browser'])
    }
    expect(episodeFact(sampleEpisode(), 'local').unpinned).toEqual([])
  })
})

it('stands on the board, and leaves a board without browsers as it was', () => {
  const { run, facts: plain } = sampleRun({ suite, repetitions: 1 })
  const bare = buildBoard({ suite, facts: plain, runs: [run] })
  expect(canonicalJson(bare)).not.toContain('browser')
  const facts = factsOf(['solved', {}], ['solved', {}], ['solved', {}], ['unsolved', {}])
  const board = buildBoard({ suite, facts, runs: [] })
  expect(board.rows[0]?.browser?.falseSuccess).toBe(1)
  expect(boardSchema.parse(JSON.parse(canonicalJson(board)))).toEqual(board)
})

it('knows a library that a model drives', () => {
  const facts = factsOf(['solved', { driven: 'llm' }], ['solved', { driven: 'llm' }])
  expect(buildBoard({ suite, facts, runs: [] }).rows[0]?.driven).toBe('llm')
  const scripted = factsOf(['solved', {}], ['solved', {}])
  expect(buildBoard({ suite, facts: scripted, runs: [] }).rows[0]?.driven).toBe('scripted')
})

const VERIFIER: Verifier = { sandbox: 'bubblewrap', network: 'none', digest: digestBytes('v') }

type GradedEnding = [OutcomeStatus, Partial<Grading> | null]

/** Builds one row's facts, with one ending per task. */
function run(...endings: GradedEnding[]): ReturnType<typeof sampleRun> {
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

const figuresOf = (...endings: GradedEnding[]) =>
  buildGradingMetrics(listKinds(run(...endings).facts))

describe('buildGradingMetrics', () => {
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
      scored: 2,
      visiblePassed: 1,
      heldOutScored: 0,
      heldOutPassed: null,
      tasks: 2,
      heldOutTasks: 0,
    })
  })

  it('counts nothing that is void, and is absent where nothing was graded', () => {
    expect(figuresOf(['void', { heldOut: true }], ['solved', {}])).toMatchObject({
      scored: 1,
      tasks: 1,
      heldOutTasks: 0,
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
