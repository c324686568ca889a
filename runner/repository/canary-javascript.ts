import type { RepositoryTask } from '#lib/domain/tasks/index.ts'

/** Command and format of a task's tests. */
export type Verify = Pick<RepositoryTask['verify'], 'command'> & {
  report: Pick<RepositoryTask['verify']['report'], 'format'>
}

/** Extensions of files that may contain tests in JavaScript or TypeScript. */
export const JAVASCRIPT_FILE = /^\.[cm]?[jt]sx?$/

/** Syntax of failing tests for one runner. T, X and C are replaced by unique names. */
type Style = {
  /** Name, module, and the member that the name refers to; `*` = the whole module. */
  imports: readonly (readonly [name: string, module: string, member: string])[]
  start?: string
  /** Ways in which an assertion can fail: a solution that disables one of them is detected by it. */
  fails: readonly string[]
  /** The parameter of a test, and its last statement. */
  given?: string
  end?: string
}

const EXPECT_FAILS = ['X(1).toBe(2)', 'X({ v: [1] }).toEqual({ v: [2] })', 'X(() => {}).toThrow()']
const ASSERT_FAILS = [
  'X.equal(1, 2)',
  'X.deepEqual({ v: [1] }, { v: [2] })',
  'X.ok(false)',
  'X.throws(() => {})',
]
const ASSERT = ['X', 'node:assert', 'strict'] as const

const VITEST: Style = {
  imports: [
    ['T', 'vitest', 'test'],
    ['X', 'vitest', 'expect'],
  ],
  fails: EXPECT_FAILS,
}
const NODE: Style = { imports: [['T', 'node:test', 'test'], ASSERT], fails: ASSERT_FAILS }
const TAP: Style = {
  imports: [['T', 'tap', 'test']],
  fails: ['X.equal(1, 2)', 'X.same({ v: [1] }, { v: [2] })', 'X.ok(false)'],
  given: 'X',
  end: 'X.end()',
}
const AVA: Style = {
  imports: [['T', 'ava', 'default']],
  fails: [
    'X.is(1, 2)',
    'X.deepEqual({ v: [1] }, { v: [2] })',
    'X.true(false)',
    'X.throws(() => {})',
  ],
  given: 'X',
}
const BUN: Style = {
  imports: [
    ['T', 'bun:test', 'test'],
    ['X', 'bun:test', 'expect'],
  ],
  fails: EXPECT_FAILS,
}
const MOCHA: Style = {
  imports: [ASSERT],
  start: "const T = typeof it === 'function' ? it : test\n",
  fails: ASSERT_FAILS,
}
const MOCHA_WITH_CHAI: Style = {
  ...MOCHA,
  imports: [ASSERT, ['C', 'chai', '*']],
  fails: [...ASSERT_FAILS, 'C.expect(1).to.equal(2)', 'C.assert.deepEqual([1], [2])'],
}
const JEST: Style = { imports: [], start: 'const [T, X] = [test, expect]\n', fails: EXPECT_FAILS }

function styleOf(text: string, { command, report: { format } }: Verify): Style | null {
  const names = (module: string) => new RegExp(`['"]${module}['"]`).test(text)
  if (names('vitest') || format === 'vitest') return VITEST
  if (names('node:test')) return NODE
  if (names('tap')) return TAP
  if (names('ava')) return AVA
  if (names('bun:test') || /\bbun\s+test\b/.test(command)) return BUN
  if (/\bmocha\b/.test(command)) return names('chai') ? MOCHA_WITH_CHAI : MOCHA
  return format === 'jest' || /\bjest\b/.test(command) ? JEST : null
}

/** Appends failing tests to the test file; null = its runner is unknown. */
export function appendJavaScript(
  path: string,
  text: string,
  verify: Verify,
  mark: string,
): string | null {
  const style = styleOf(text, verify)
  if (style === null) return null
  const { imports, start = '', fails, given = '', end = '' } = style
  const isModule = /^\s*(import\s|export\s)/m.test(text) || /\.m[jt]s$/.test(path)
  const loads = imports.map((one) => load(one, isModule))
  const tests = fails.map((fail, at) => `T('${mark} ${at}', (${given}) => { ${fail}; ${end} })\n`)
  const code = [...loads, start, ...tests].join('')
  const named = code.replaceAll(/\b[TXC]\b/g, (name) => `${name.toLowerCase()}${mark}`)
  return `${text}\n${named}`
}

function load([name, module, member]: Style['imports'][number], isModule: boolean): string {
  if (member === '*')
    return isModule
      ? `import * as ${name} from '${module}'\n`
      : `const ${name} = require('${module}')\n`
  return isModule
    ? `import { ${member} as ${name} } from '${module}'\n`
    : `const ${name} = require('${module}').${member}\n`
}
