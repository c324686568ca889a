import { expect, it } from 'vitest'
import { splitNames } from '../suites/verify/prove-repository.ts'
import { findUnreported, plantCanary, withOwnCanary } from './canary.ts'
import { compareTests } from './compare-tests.ts'
import { patchToChanges } from './overlay.ts'
import { permissionsOf } from './permissions.ts'
import { takeStored } from './take-changes.ts'
import { tellingLine } from './telling-line.ts'
import { leadsOut } from './tree.ts'
import { readChanges, writeChanges } from './write-changes.ts'

const passed = (name: string) => ({ name, status: 'passed' as const })
const failed = (name: string) => ({ name, status: 'failed' as const })
const skipped = (name: string) => ({ name, status: 'skipped' as const })

it.each([
  ['all passed', [passed('a'), passed('b'), passed('b')], 3, true],
  ['others beside them', [passed('a'), passed('b'), passed('b'), passed('z')], 3, true],
  ['one missing', [passed('a'), passed('b')], 2, false],
  ['one too many', [passed('a'), passed('a'), passed('b'), passed('b')], 3, false],
  ['one too many that failed', [failed('a'), passed('a'), passed('b'), passed('b')], 2, false],
  ['one skipped', [skipped('a'), passed('b'), passed('b')], 2, false],
  ['one failed', [failed('a'), passed('b'), passed('b')], 2, false],
  ['none', [], 0, false],
])('compares names as multisets: %s', (_, reported, passes, isWhole) => {
  const { tests, set, passed: count } = compareTests(['a', 'b', 'b'], new Set(), reported)
  expect(count).toBe(passes)
  expect(set.length === 0 && tests.every(({ verdict }) => verdict === 'pass')).toBe(isWhole)
})

it('knows failures that decide nothing', () => {
  const flaky = new Set(['f'])
  expect(compareTests(['a'], flaky, [passed('a'), failed('f')]).onlyFlakyFailed).toBe(true)
  expect(compareTests(['a'], flaky, [passed('a'), failed('x')]).onlyFlakyFailed).toBe(false)
})

it('expects what passed every time, and names what did not', () => {
  const names = splitNames([
    [passed('b'), passed('a'), passed('a'), passed('f'), skipped('s')],
    [passed('a'), passed('b'), passed('a'), failed('f'), skipped('s')],
  ])
  expect(names.expectedTests).toEqual(['a', 'a', 'b'])
  expect(names.flakyTests).toEqual([
    { name: 'f', reason: 'passed in 1 of 2 runs of the reference' },
  ])
})

const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text), executable: false })
type Format = 'tap' | 'jest' | 'pytest' | 'go' | 'junit'
const plant = (path: string, text: string, format: Format = 'tap', command = 'run {report}') =>
  plantCanary([file(path, text)], { command, report: { format } }, 'c0')
    ?.files.map(({ bytes }) => bytes?.toString())
    .join('')

it('puts failing tests into files of each known language', () => {
  expect(plant('a.test.js', "import { test } from 'node:test'\n")).toContain('import { strict as')
  expect(plant('a.test.js', "const { test } = require('node:test')\n")).toContain(
    "require('node:test').test",
  )
  expect(plant('a.test.ts', "import { it } from 'vitest'\n")).toContain(
    "expect as xc00 } from 'vitest'",
  )
  expect(plant('a.test.js', "test('x', () => {})\n", 'jest')).toContain(
    '[tc00, xc00] = [test, expect]',
  )
  expect(plant('a.test.js', "import test from 'ava'\n")).toContain(
    "import { default as tc00 } from 'ava'",
  )
  expect(plant('a.test.ts', '', 'junit', 'bun test --reporter=junit')).toContain('bun:test')
  expect(plant('a.test.js', "import t from 'tap'\n")).toContain(
    "import { test as tc00 } from 'tap'",
  )
  expect(plant('a_test.go', 'package a\n', 'go')).toContain('func TestXc00(t *testing.T)')
  const python = plant('test_a.py', 'import unittest\n\nif __name__ == "__main__":\n    x()\n')
  expect(python?.indexOf('class Testc00')).toBeLessThan(python?.indexOf('if __name__') ?? 0)
  expect(plant('run.sh', 'true\n')).toBeUndefined()
  expect(plant('a.test.js', "it('x', () => {})\n")).toBeUndefined()
})

it('knows mocha and jest by the command where the format is one that others write too', () => {
  const mocha = 'npx mocha --reporter xunit --reporter-option output={report} a.test.js'
  const plain = plant('a.test.js', "it('x', () => {})\n", 'junit', mocha)
  expect(plain).toContain("const xc00 = require('node:assert').strict")
  expect(plain).not.toContain('chai')
  const chai = plant('a.test.mjs', "import { expect } from 'chai'\n", 'junit', mocha)
  expect(chai).toContain("import * as cc00 from 'chai'")
  expect(plant('a.test.js', "it('x', () => {})\n", 'junit', 'npx jest')).toContain('[test, expect]')
})

const ANY = { command: 'sh run.sh', report: { format: 'tap' } } as const

it('fills in the canary that a task brings', () => {
  const canary = [file('judge/{{canary}}.sh', 'case_{{canary}}() { false; }')]
  const planted = plantCanary(withOwnCanary([file('run.sh', '')], canary), ANY, 'c9')
  expect(planted?.marks).toEqual(['c9'])
  expect(planted?.files[1]).toEqual(file('judge/c9.sh', 'case_c9() { false; }'))
})

it('puts a canary of the task in the place of the test that it stands for', () => {
  const canary = [file('a.test.js', "throws('{{canary}}')")]
  const files = withOwnCanary([file('a.test.js', ''), file('b.js', '')], canary)
  const planted = plantCanary(files, ANY, 'c9')
  expect(planted?.files.map(({ path }) => path).sort()).toEqual(['a.test.js', 'b.js'])
})

it.each([
  [[failed('x c0 1')], []],
  [[failed('x c0 1'), passed('x c0 2')], ['c0']],
  [[passed('x c0')], ['c0']],
  [[passed('a')], ['c0']],
])('sees in %j which added tests did not fail', (reported, missing) => {
  expect(findUnreported(['c0'], reported)).toEqual(missing)
})

const RULES = permissionsOf(
  {
    change: { allow: ['src/**', 'package.json'], protect: ['src/frozen.js'] },
    verify: {
      command: 'sh ./verify.sh --out {report} && node tools/run.mjs test/',
      report: { format: 'vitest', path: 'out/report.json' },
      timeoutMs: 1,
    },
  },
  new Set(['test/a.test.js']),
)

it.each([
  ['src/a.js', 'allowed'],
  ['src/frozen.js', 'protected'],
  ['package.json', 'allowed'],
  ['src/package.json', 'protected'],
  ['verify.sh', 'protected'],
  ['tools/run.mjs', 'protected'],
  ['src/vitest.config.ts', 'protected'],
  ['test/a.test.js', 'replaced'],
  ['out/report.json', 'replaced'],
  ['test/own.test.js', 'elsewhere'],
  ['SRC/Frozen.js', 'protected'],
  ['Verify.SH', 'protected'],
  ['test/A.test.js', 'replaced'],
  ['test/__snapshots__/a.test.js.snap', 'replaced'],
  ['src/__snapshots__/a.test.js.snap', 'allowed'],
  ['src/.mocharc.json', 'protected'],
  ['src/.env.local', 'protected'],
  ['src/.env.example', 'allowed'],
])('says of %s that it is %s', (path, permission) => {
  expect(RULES(path)).toBe(permission)
})

it.each([
  ['python3 -m tools.judge {report}', 'tools/judge/__init__.py', 'protected'],
  ['python3 -m tools.judge {report}', 'tools/judge.py', 'protected'],
  ['pytest', 'pyproject.toml', 'protected'],
  ['make check', 'Makefile', 'protected'],
  ['/usr/bin/make check', 'rules/all.mk', 'protected'],
  ['just test', 'justfile', 'protected'],
  ['pytest', 'src/make.py', 'allowed'],
  ['pytest', '_pytest/runner.py', 'protected'],
  ['pytest', 'pytest.pyc', 'protected'],
  ['cargo test', 'rust-toolchain.toml', 'protected'],
])('of "%s", %s is %s', (command, path, permission) => {
  const verify = { command, report: { format: 'pytest' as const }, timeoutMs: 1 }
  const own = permissionsOf({ change: { allow: ['**'], protect: [] }, verify }, new Set())
  expect(own(path)).toBe(permission)
})

it('ignores files that tools create, also in a submitted list', async () => {
  const sent = [
    ...['src/a.js', 'node_modules/.bin/jest', 'src/node_modules/x/index.js', '.venv/bin/python'],
    ...['x-1.0.dist-info/entry_points.txt', 'x.egg-info/entry_points.txt', '__pycache__/a.pyc'],
  ].map((path) => file(path, ''))
  const { changes, touched, findings } = await takeStored([], sent, () => 'allowed')
  expect(changes.map(({ path }) => path)).toEqual(['src/a.js'])
  expect([touched, findings]).toEqual([[], []])
})

it.each([
  ['a', '/etc/passwd', true],
  ['a', '../x', true],
  ['a/b', '../x', false],
  ['a/b', '../../x', true],
  ['a/b', '..', false],
  ['a', '..', true],
])('knows whether a link at %s to %s leads out', (path, target, out) => {
  expect(leadsOut(path, target)).toBe(out)
})

const PATCH = `diff --git a/x b/x
--- a/x
+++ b/x
@@ -1 +1 @@
-one
+two
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+n
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-g
`

it('reads a patch as changes that come back byte for byte', () => {
  const changes = patchToChanges(PATCH, (path) => Buffer.from(path === 'x' ? 'one\n' : 'g\n'))
  expect(changes.map(({ path, bytes }) => [path, bytes?.toString() ?? null])).toEqual([
    ['x', 'two\n'],
    ['new', 'n\n'],
    ['gone', null],
  ])
  const binary = [...changes, { path: 'b', bytes: Buffer.from([0, 255]), executable: true }]
  expect(readChanges(writeChanges(binary))).toEqual(binary)
})

it.each([
  [PATCH.replaceAll('/new', '/../../new'), /not a path inside/],
  [PATCH.replaceAll('/new', '/.git/hooks/x'), /file of git/],
  [PATCH.replace('-one', '-other'), /does not fit/],
  ['not a patch', /changes no file/],
])('refuses a patch that is hostile or does not fit', (text, reason) => {
  expect(() => patchToChanges(text, () => Buffer.from('one\n'))).toThrow(reason)
})
it.each([
  ['one\ntwo\n', ', it said: two'],
  [
    'npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when in sync.\nnpm error Missing: a\nnpm error A complete log of this run can be found in: /x\n',
    ', it said: npm error `npm ci` can only install packages when in sync.',
  ],
  [
    ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"\n\n  Failure reason:\n  * 1 dependencies were added: left-pad@^1.3.0\n',
    ', it said: ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"',
  ],
  [
    'yarn install v1.22.22\nerror Your lockfile needs to be updated.\ninfo Visit https://example.com/install for documentation.\n',
    ', it said: error Your lockfile needs to be updated.',
  ],
  [
    '➤ YN0002: │ a is missing a peer\n➤ YN0028: │ -    is-odd: "npm:3.0.1"\n➤ YN0028: │ The lockfile would have been modified\n➤ YN0000: · Failed with errors in 0s 49ms\n',
    ', it said: ➤ YN0028: │ The lockfile would have been modified',
  ],
  [
    'bun install v1.4.5\nerror: lockfile had changes, but lockfile is frozen\nnote: try re-running\n',
    ', it said: error: lockfile had changes, but lockfile is frozen',
  ],
  [
    'node:internal/modules/cjs/loader:1031\n  throw e;\n\nError [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite\n    at require (a.mjs:1:2) {\n  code: 1\n}\n\nNode.js v20.20.2\n',
    ', it said: Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite',
  ],
  ['', ''],
])('of what a set-up printed, tells the line that says why: %#', (log, line) => {
  expect(tellingLine(log)).toBe(line)
})
