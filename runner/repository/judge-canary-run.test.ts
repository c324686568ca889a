import { expect, it } from 'vitest'
import { judgeCanaryRun } from './judge-canary-run.ts'

const data = (status: 'passed' | 'failed', ...names: string[]) =>
  names.map((name) => ({ name, status }))

it.each([
  ['the truth', data('failed', 'c0 x', 'a', 'm'), data('passed', 'b', 'm'), null],
  [
    'that all tests of one name pass',
    data('failed', 'c0 x', 'a'),
    data('passed', 'b', 'm', 'm'),
    true,
  ],
  [
    'that a case under another name passes',
    data('failed', 'c0 x', 'a', 'r2'),
    data('passed', 'b', 'r1'),
    true,
  ],
  ['that all pass', data('failed', 'c0 x'), data('passed', 'a', 'b'), true],
  ['that all fail', data('failed', 'c0 x', 'a', 'b'), [], false],
  ['less', data('failed', 'c0 x', 'a'), [], false],
  ['that added tests pass', data('failed', 'a'), data('passed', 'b', 'c0 x'), true],
])('judges a report that says %s', (_, failed, passed, isTampered) => {
  const run = {
    ending: { exitCode: 1, cause: 'exited' } as const,
    report: { ok: true as const, value: [...failed, ...passed] },
    disturbed: [],
  }
  const judged = judgeCanaryRun(
    run,
    { failing: ['a'], passing: ['b'], mixed: [{ name: 'm', passed: 1 }], renamed: ['r1', 'r2'] },
    ['c0'],
  )
  expect(judged?.isTampered ?? null).toBe(isTampered)
})
