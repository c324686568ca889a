import { describe, expect, it } from 'vitest'
import { closingLine, parseTestArgs, verdict } from './run-step.mjs'
import {
  countVitest,
  describeFailures,
  describeSilent,
  describeTimes,
  judgeSkips,
  mergeRetry,
} from './run-vitest.mjs'
import { checkSelfTest } from './self-test.mjs'

const SOUND = {
  tasks: 25,
  referenceSolved: 25,
  nopSolved: 0,
  firstTestOnlySolved: 0,
  wrongSolved: 0,
}

describe('closingLine', () => {
  it('is what machines look for', () => {
    const tallies = [
      { passed: 3, failed: 0, skipped: 0 },
      { passed: 2, failed: 1, skipped: 0 },
    ]
    expect(closingLine(tallies)).toBe('5 passed, 1 failed')
  })

  it('says why tests were skipped, the most frequent reason first', () => {
    const tallies = [
      { passed: 1, failed: 0, skipped: 3, lacks: { night: 1, bubblewrap: 2 } },
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 1, failed: 0, skipped: 1, lacks: { bubblewrap: 1 } },
    ]
    expect(closingLine(tallies)).toBe(
      '3 passed, 0 failed, 4 skipped: 3 need bubblewrap, 1 needs night',
    )
  })
})

describe('a step', () => {
  it.each([
    ['ok  ', true, { passed: 3, failed: 0, skipped: 2 }],
    ['ok  ', true, { passed: 0, failed: 0, skipped: 0 }],
    ['SKIP', true, { passed: 0, failed: 0, skipped: 2 }],
    ['FAIL', false, { passed: 0, failed: 0, skipped: 2 }],
  ])('is reported as %s', (words, ok, tally) => {
    expect(verdict({ ok, tally, note: '', output: '' })).toBe(words)
  })
})

describe('describeTimes', () => {
  it('shows slow files by time, and the others as one sum', () => {
    const file = (name: string, ms: number) => ({
      name: `${process.cwd()}/${name}`,
      startTime: 7,
      endTime: 7 + ms,
    })
    const testResults = [file('a', 900), file('b', 6_000), file('c', 65_000), file('d', 1_200)]
    expect(describeTimes({ testResults }).split('\n')).toEqual([
      '  1 min 05 s  c',
      '       6.0 s  b',
      '       2.1 s  2 files under 5 s',
    ])
    const cpu = new Map([
      [`${process.cwd()}/a`, 9_000],
      [`${process.cwd()}/b`, 1_234],
    ])
    expect(describeTimes({ testResults }, cpu).split('\n')).toEqual([
      '  1 min 05 s  c',
      '       6.0 s     1.2 CPU-s  b',
      '       0.9 s     9.0 CPU-s  a',
      '       1.2 s     0.0 CPU-s  1 files under 5 s',
    ])
  })
})

describe('countVitest', () => {
  const passed = { status: 'passed' }

  it('counts a file that never came to its tests as a failure', () => {
    const testResults = [
      { status: 'passed', assertionResults: [passed, passed] },
      { status: 'failed', assertionResults: [] },
    ]
    expect(countVitest({ testResults })).toEqual({ passed: 2, failed: 1, skipped: 0, lacks: {} })
  })

  it('counts a test whose process ended before it as a failure, and skipped ones by reason', () => {
    const skipped = { status: 'skipped', meta: { lacks: 'bubblewrap' } }
    const all = [passed, { status: 'pending' }, skipped, skipped]
    const testResults = [{ status: 'passed', assertionResults: all }]
    const lacks = { bubblewrap: 2 }
    expect(countVitest({ testResults })).toEqual({ passed: 1, failed: 1, skipped: 2, lacks })
  })
})

describe('a test that is skipped without a reason', () => {
  const test = (fullName: string, status: string, lacks?: string) => ({
    fullName,
    status,
    failureMessages: [],
    ...(lacks === undefined ? {} : { meta: { lacks } }),
  })
  const all = [test('fine', 'passed'), test('x', 'skipped'), test('y', 'skipped', 'night')]
  const report = { testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults: all }] }

  it('is a failure that is named', () => {
    const judged = judgeSkips(report, false)
    expect(countVitest(judged)).toMatchObject({ passed: 1, failed: 1, lacks: { night: 1 } })
    expect(describeFailures(judged)).toMatch(/^FAILED a\.test\.ts > x\n {2}skipped without/)
  })

  it('was not chosen in a run that is narrowed by options', () => {
    const judged = judgeSkips(report, true)
    expect(countVitest(judged)).toMatchObject({ passed: 1, failed: 0, skipped: 1 })
  })
})

describe('describeFailures', () => {
  it('names what failed, each test and each file without one, and nothing that passed', () => {
    const test = (fullName: string, status: string, failureMessages: string[] = []) => ({
      fullName,
      status,
      failureMessages,
    })
    const report = {
      testResults: [
        { name: 'a.test.ts', status: 'passed', assertionResults: [test('fine', 'passed')] },
        {
          name: 'b.test.ts',
          status: 'failed',
          assertionResults: [
            test('good', 'passed'),
            test('bad', 'failed', ['expected 1\nat line 2']),
          ],
        },
        { name: 'c.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
        { name: 'd.test.ts', status: 'passed', assertionResults: [test('cut short', 'pending')] },
      ],
    }
    expect(describeFailures(report)).toBe(
      'FAILED b.test.ts > bad\n  expected 1\n  at line 2\n\nFAILED c.test.ts\n  no such module' +
        '\n\nFAILED d.test.ts\n  its process ended before these tests: cut short',
    )
  })

  it('shows the first twenty and says how many more failed', () => {
    const failed = (count: number) => ({
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: Array.from({ length: count }, (_, index) => ({
            ...{ fullName: `test ${index + 1}`, status: 'failed', failureMessages: ['no'] },
          })),
        },
      ],
    })
    const blocks = describeFailures(failed(23)).split('\n\n')
    expect(blocks).toHaveLength(21)
    expect(blocks.slice(-2)).toEqual([
      'FAILED a.test.ts > test 20\n  no',
      'and 3 more failed, in a.test.ts',
    ])
    expect(describeFailures(failed(20))).not.toContain('more failed')
  })
})

describe('mergeRetry', () => {
  const ran = (ok: boolean, failedFiles: string[], failures: string, passed: number) => ({
    result: {
      ...{ ok, note: '', output: 'log', failures, times: 'times' },
      tally: { passed, failed: failedFiles.length, skipped: 0 },
    },
    counted: { failedFiles, passedElsewhere: 7 },
  })
  const first = ran(false, ['a.test.ts', 'b.test.ts'], 'FAILED a > x\n\nFAILED b > y', 9)

  it('passes when all passed on retry, and shows what failed before and what was skipped', () => {
    const tried = {
      ...first,
      result: { ...first.result, tally: { ...first.result.tally, skipped: 5 } },
    }
    expect(mergeRetry(tried, ran(true, [], '', 4))).toMatchObject({
      ok: true,
      tally: { passed: 11, failed: 0, skipped: 5 },
      failures: 'FAILED a > x\n\nFAILED b > y',
      flaky: ['a.test.ts', 'b.test.ts'],
    })
  })

  it('names the flaky file beside one that failed again, and all that failed in both', () => {
    const merged = mergeRetry(first, ran(false, ['b.test.ts'], 'FAILED b > z', 3))
    expect(merged).toMatchObject({ ok: false, tally: { failed: 2 }, flaky: ['a.test.ts'] })
    expect(merged.note).toContain('FLAKY, passed only on retry: a.test.ts')
    for (const one of ['FAILED a > x', 'FAILED b > y', 'TRIED AGAIN, and failed:', 'FAILED b > z'])
      expect(merged.failures).toContain(one)
  })

  it('calls no file flaky after a retry that names none, and shows the end of its output', () => {
    const merged = mergeRetry(first, ran(false, [], '', 0))
    expect(merged.flaky).toEqual([])
    expect(merged.failures).toMatch(/FAILED b > y\n\nTRIED AGAIN, and failed:\n\nlog$/)
  })
})

describe('describeSilent', () => {
  it('names the files of a run whose report says nothing', () => {
    const said =
      'Error: boom\nThis error originated in "lib/a.long.test.ts" test file. It doesn\'t mean'
    expect(
      describeSilent(said, [`${process.cwd()}/lib/b.long.test.ts`])
        .split('\n')
        .slice(-2),
    ).toEqual([
      'FAILED lib/a.long.test.ts: an error outside of its tests',
      'FAILED lib/b.long.test.ts: it had begun when the tests were ended',
    ])
  })
})

describe('checkSelfTest', () => {
  it('passes a sound suite', () => {
    expect(checkSelfTest({ ...SOUND, deviations: [] })).toEqual({
      tally: { passed: 25, failed: 0, skipped: 0 },
      complaints: [],
    })
  })

  it.each([
    ['an unsolved reference', { referenceSolved: 24 }],
    ['a solved nop', { nopSolved: 1 }],
    ['a solved first test', { firstTestOnlySolved: 2 }],
    ['a wrong solution that passes', { wrongSolved: 1 }],
    ['no task', { tasks: 0, referenceSolved: 0 }],
    ['no answer', { tasks: undefined }],
  ])('refuses %s', (_, change) => {
    const { tally, complaints } = checkSelfTest({ ...SOUND, ...change })
    expect(tally.failed).toBeGreaterThan(0)
    expect(complaints).not.toEqual([])
  })

  it('counts each deviating task once', () => {
    const deviations = [{ taskId: 'a' }, { taskId: 'a' }, { taskId: 'b' }]
    const { tally } = checkSelfTest({ ...SOUND, wrongSolved: 3, deviations })
    expect(tally).toEqual({ passed: 23, failed: 2, skipped: 0 })
  })
})

describe('parseTestArgs', () => {
  const steps = [
    { name: 'format', tier: 'check' as const },
    { name: 'unit', tier: 'check' as const },
    { name: 'browser', tier: 'test' as const },
    { name: 'kill', tier: 'all' as const },
  ]
  const chosenBy = (...argv: string[]) => parseTestArgs(argv, steps)

  it.each([
    ['test', [], ['format', 'unit', 'browser']],
    ['check', ['--tier', 'check'], ['format', 'unit']],
    ['all', ['--tier=all'], ['format', 'unit', 'browser', 'kill']],
  ])('runs the steps of the tier %s and of those before it', (tier, argv, chosen) => {
    expect(chosenBy(...argv)).toEqual({ list: false, tier, chosen })
  })

  it.each([[['--only', 'kill,format']], [['--only=kill, format']]])(
    'takes %j of any tier, in the usual order',
    (argv) => {
      expect(chosenBy(...argv)).toMatchObject({ chosen: ['format', 'kill'] })
    },
  )

  it('lists', () => expect(chosenBy('--list')).toMatchObject({ list: true }))

  it.each([[['--only', 'speed']], [['--only']], [['--fast']], [['--tier', 'slow']]])(
    'refuses %j in one line',
    (argv) => {
      expect(chosenBy(...argv)).toEqual({ refusal: expect.not.stringContaining('\n') })
    },
  )
})
