import { describe, expect, it } from 'vitest'
import { sharedVerifier } from '#lib/testing/factories/shared-verifier.ts'
import { exerciseInput, oneTest } from '#lib/testing/verifier/exercise-input.ts'

const verifier = sharedVerifier()

const TEST = oneTest('answer', 'expect(answer()).toBe(42)')
const RIGHT = 'export const answer = (): number => 42\n'

const evaluate = (solution: string, rest: Partial<Parameters<typeof exerciseInput>[0]> = {}) =>
  verifier.evaluate(exerciseInput({ solution, test: TEST, expected: ['t'], ...rest }))

async function failsWithoutFinding(_name: string, solution: string) {
  const report = await evaluate(solution)
  expect(report.verdict, report.log.slice(0, 2_000)).toBe('fail')
  expect(report.findings).toEqual([])
  expect(report.log).not.toContain('root:')
}

describe('texts of solutions', () => {
  it.each([
    ['a byte order mark', `\uFEFF${RIGHT}`],
    ['CRLF', RIGHT.replace('\n', '\r\n// x\r\n')],
    ['a shebang', `#!/usr/bin/env node\n${RIGHT}`],
    [
      'only a type besides',
      `import type { SpawnOptions } from 'node:child_process'\n${RIGHT}export type X = SpawnOptions\n`,
    ],
    ['@ts-nocheck', `// @ts-nocheck\n${RIGHT}const wrong: string = 1\nvoid wrong\n`],
    [
      'enums, namespaces and parameter properties',
      `enum E { A = 42 }\nnamespace N { export const x = E.A }\nclass C { constructor(readonly v: number) {} }\n${RIGHT.replace('42', 'new C(N.x).v')}`,
    ],
    [
      'a class field that shadows',
      `class A { x = 1 }\nclass B extends A { declare y: number; x = 42 }\n${RIGHT.replace('42', 'new B().x')}`,
    ],
  ])('with %s passes', async (_name, solution) => {
    const report = await evaluate(solution)
    expect(report.verdict, report.log).toBe('pass')
  })

  it.each([
    ['null bytes', `${RIGHT}\0\0`],
    ['a syntax error', 'export const answer = (: number => 42'],
    ['nothing', ''],
    ['a top-level await', `await null\n${RIGHT}`],
    ['50 MB', `${RIGHT}//${'x'.repeat(50_000_000)}`],
    ['a reference to a file of the machine', `/// <reference path="/etc/passwd" />\n${RIGHT}`],
    ['an import of a file of the machine', `import '/etc/passwd'\n${RIGHT}`],
    ['an import of a file outside the task', `import '../../../package.json'\n${RIGHT}`],
    ['an import of a package that the repository has', `import 'zod'\n${RIGHT}`],
    ['an unsuppressed type error', `${RIGHT}export const wrong: string = 1`],
  ])('with %s fails without a finding', failsWithoutFinding)

  // Each costs a compiler; a test with a type below shows that an endless one is ended.
  it.each([
    ['deep nesting', `${RIGHT}export const deep = ${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['nesting as deep as it may be', `${RIGHT}export const deep = ${'!'.repeat(130_000)}1`],
  ])('with %s fails without a finding', { tags: 'night' }, failsWithoutFinding)

  it('a text that keeps the compiler busy for ever ends, and the next is compiled', {
    tags: 'night',
  }, async () => {
    const slow = `${RIGHT}export const f = ${'a=>'.repeat(40_000)}1`
    const reports = await Promise.all([evaluate(slow, { timeoutMs: 1_500 }), evaluate(RIGHT)])
    expect(reports.map((report) => report.verdict)).toEqual(['fail', 'pass'])
    expect((await evaluate(RIGHT)).verdict).toBe('pass')
  })

  it('tests are still reported when the types fail', async () => {
    const report = await evaluate(`${RIGHT}export const wrong: string = 1`)
    expect(report.types.diagnostics[0]).toMatchObject({ file: 'task.ts', line: 2, code: 2322 })
    expect(report.tests).toMatchObject({ ok: true, passed: 1, missing: [] })
  })
})

describe('exercise settings', () => {
  it('the library of the track is the library that counts', async () => {
    const report = await evaluate(`${RIGHT}export const x = 'a'.replaceAll('a', 'b')`)
    expect(report.types.diagnostics[0]?.code).toBe(2550)
  })

  it('a test may expect a type error', async () => {
    const test = oneTest(
      'answer',
      '// @ts-expect-error it takes no argument\nexpect(answer(1)).toBe(42)',
    )
    expect((await evaluate(RIGHT, { test })).verdict).toBe('pass')
    const loose = 'export const answer = (..._: unknown[]) => 42\n'
    expect((await evaluate(loose, { test })).types.ok).toBe(false)
  })

  it('two solution files and a helper of the tests', async () => {
    const input = exerciseInput({
      solution: '',
      test: `import { add } from './support/add.js'\n${oneTest('answer', 'expect(add(answer())).toBe(43)')}`,
      expected: ['t'],
    })
    const report = await verifier.evaluate({
      ...input,
      solution: [
        {
          path: 'task.ts',
          text: "import { half } from './lib/half.ts'\nexport const answer = () => half(84)\n",
        },
        { path: 'lib/half.ts', text: 'export const half = (n: number) => n / 2\n' },
      ],
      support: [{ path: 'support/add.ts', text: 'export const add = (n: number) => n + 1\n' }],
    })
    expect(report.verdict, report.log).toBe('pass')
  })

  it('tests can be switched off: types decide', async () => {
    const report = await evaluate(RIGHT.replace('42', '41'), { runTests: false, expected: [] })
    expect(report.verdict).toBe('pass')
    expect(report.tests.ran).toBe(false)
  })
})

describe('what must be executed', () => {
  const test = `import { it, xit, expect } from '@jest/globals'
import { answer } from './task.ts'
it('first', () => { expect(answer()).toBe(42) })
xit('second', () => { expect(answer() * 2).toBe(84) })
xit('third', () => { throw new Error('later') })`

  it('passing only the first test of a file of xit fails', async () => {
    const report = await evaluate(RIGHT, { test, expected: ['first', 'second', 'third'] })
    expect(report).toMatchObject({ verdict: 'fail', findings: [], tests: { passed: 2, failed: 1 } })
  })

  it('onlyFirstTest runs the first and nothing else', async () => {
    const report = await evaluate(RIGHT, { test, expected: null, onlyFirstTest: true })
    expect(report.tests.results.map((one) => one.name)).toEqual(['first'])
    expect(report.tests.skipped).toBe(0)
  })

  it.each([
    { expected: ['first', 'second'], missing: [], unexpected: ['third'] },
    { expected: ['first', 'first', 'second', 'third'], missing: ['first'], unexpected: [] },
    { expected: ['first', 'second', 'third', 'fourth'], missing: ['fourth'], unexpected: [] },
  ])('names must match exactly: $expected', async ({ expected, missing, unexpected }) => {
    const passing = test.replace("throw new Error('later')", 'expect(answer()).toBe(42)')
    const report = await evaluate(RIGHT, { test: passing, expected })
    expect(report).toMatchObject({ verdict: 'fail', findings: [], tests: { missing, unexpected } })
  })

  it('a file without an executed test never passes', async () => {
    const empty = "import { it } from '@jest/globals'\nimport './task.ts'\nit.skip('x', () => {})\n"
    expect((await evaluate(RIGHT, { test: empty, expected: [] })).verdict).toBe('fail')
    const report = await evaluate(RIGHT, { test: empty, expected: null })
    expect(report).toMatchObject({ verdict: 'fail', tests: { skipped: 1, passed: 0 } })
  })

  it.each([
    ['throws in describe', "describe('d', () => { throw new Error('x') })"],
    ['a promise from describe', "describe('d', (async () => {}) as () => void)"],
    ['a test inside a test', "it('t', () => { it('u', () => {}) })"],
    [
      'a hook that fails',
      "beforeAll(() => { throw new Error('x') }); it('t', () => { expect(1).toBe(1) })",
    ],
    [
      'an afterAll that fails',
      "afterAll(() => { throw new Error('x') }); it('t', () => { expect(1).toBe(1) })",
    ],
    [
      'an afterEach that fails',
      "afterEach(() => { throw new Error('x') }); it('t', () => { expect(1).toBe(1) })",
    ],
    [
      'a test that takes too long',
      "it('t', () => new Promise((done) => setTimeout(done, 500)), 20)",
    ],
    [
      'a default time-out',
      "jest.setTimeout(20); it('t', () => new Promise((done) => setTimeout(done, 500)))",
    ],
    ['done with an error', "it('t', (done) => { done('x') })"],
    ['unmet expect.assertions', "it('t', () => { expect.assertions(2); expect(1).toBe(1) })"],
    ['no assertion at all', "it('t', () => { if (Date.now() < 0) expect(1).toBe(1) })"],
    ['fake timers', "jest.useFakeTimers(); it('t', () => { expect(1).toBe(1) })"],
  ])('fails: %s', async (_name, body) => {
    const names = 'afterAll, afterEach, beforeAll, describe, it, expect, jest'
    const text = `import { ${names} } from '@jest/globals'\nimport './task.ts'\nvoid [${names}]\n${body}`
    const report = await evaluate(RIGHT, { test: text })
    expect(report.types.diagnostics).toEqual([])
    expect(report.tests.ok, report.log).toBe(false)
    expect(report.findings).toEqual([])
  })

  it('reports what the probe saw', async () => {
    const solution = `declare const __proofboardProbe: (n: number) => void\n__proofboardProbe(1)\n${RIGHT.replace('42', '{ __proofboardProbe(3); __proofboardProbe(2); return 42 }')}`
    expect((await evaluate(solution, { probe: true })).tests.probeMax).toBe(3)
    expect((await evaluate(RIGHT)).tests.probeMax).toBeNull()
  })
})

describe('the type check', () => {
  it('ends types that do not end', async () => {
    const endless = `type Grow<T extends unknown[]> = T['length'] extends 1e6 ? T : Grow<[...T, ...T, 1]>
export type X = Grow<[1]>
type P<A, N extends string> = N extends \`\${infer H}\${infer R}\` ? P<A | H, R> | P<H, R> : A
export const x: P<'', 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz'> = 1\n${RIGHT}`
    const report = await evaluate(endless, { timeoutMs: 3_000 })
    expect(report.types.ok).toBe(false)
    expect(report.verdict).toBe('fail')
    expect((await evaluate(RIGHT)).verdict).toBe('pass')
  })
})
