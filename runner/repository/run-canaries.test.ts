import { expect, it } from 'vitest'
import { alteredVersions } from './alter-tests.ts'
import { judgeCanaryRun } from './run-canaries.ts'

const alter = (path: string, text: string) =>
  alteredVersions([{ path, bytes: Buffer.from(text), executable: false }]).map((version) =>
    version.map(({ bytes }) => bytes?.toString()).join(''),
  )

const JS = `test('a', () => assert.equal(f(3), 9))
test('b', () => { assert.deepEqual(f('x, (y'), { id: 'a b', n: [1, true] }) })
it('c', () => { expect(f(4)).toBe(null) })
`

it('changes expected values of each test in one of two versions', () => {
  const versions = alter('a.test.js', JS)
  expect(versions).toHaveLength(2)
  for (const [at, line] of JS.trim().split('\n').entries()) {
    const lines = versions.map((version) => version.split('\n')[at])
    expect(lines.filter((one) => one === line)).toHaveLength(1)
  }
  for (const version of versions) {
    expect(version).toContain('f(3)')
    expect(version).toContain("f('x, (y')")
  }
})

it.each([
  [
    'a.test.js',
    "test('a', () => assert.equal(f(3), 9))",
    /^test\('a', \(\) => assert.equal\(f\(3\), \d\)\)$/,
  ],
  ['a.test.js', "test('a', () => assert.equal(f(), '\\n'))", /f\(\), '\\ne'\)/],
  ['test_a.py', 'def test_a():\n    assert f(1) == "ab"\n', /assert f\(1\) == "[a-z]{2}"/],
  ['test_a.py', 'def test_a(self):\n    self.assertEqual(None, f(1))\n', /Equal\(0, f\(1\)\)/],
  ['a_test.go', 'func TestA(t *testing.T) {\n\tif got := f(1); got != 12 {\n', /got != 1\d \{/],
])('changes a value of %s in %j', (path, text, shape) => {
  const [version] = alter(path, text)
  expect(version).toMatch(shape)
  expect(version).not.toBe(text)
})

it.each([
  ['a.test.js', "test('a', () => assert.equal(f(3), g(9)))"],
  ['a.test.js', 'test("a", () => assert.equal(f(3), `$' + '{x}1`))'],
  ['test_a.py', 'def test_a():\n    assert f(1) == f"ab"\n'],
  ['a.test.js', 'assert.equal(helper(), 1)\ntest("a", () => {})'],
  ['run.sh', 'assert equal("a", 1)'],
  ['a.test.js', `test('a', () => assert.equal(${'('.repeat(50_000)}`],
])('changes nothing where no literal is expected: %s %#', (path, text) => {
  expect(alter(path, text)).toEqual([])
})

const said = (status: 'passed' | 'failed', ...names: string[]) =>
  names.map((name) => ({ name, status }))

it.each([
  ['the truth', said('failed', 'c0 x', 'a'), said('passed', 'b'), null],
  ['that all pass', said('failed', 'c0 x'), said('passed', 'a', 'b'), true],
  ['that all fail', said('failed', 'c0 x', 'a', 'b'), [], false],
  ['less', said('failed', 'c0 x', 'a'), [], false],
  ['that added tests pass', said('failed', 'a'), said('passed', 'b', 'c0 x'), true],
])('judges a report that says %s', (_, failed, passed, isTampered) => {
  const run = {
    ending: { exitCode: 1, cause: 'exited' } as const,
    report: { ok: true as const, value: [...failed, ...passed] },
    disturbed: [],
  }
  const judged = judgeCanaryRun(run, { failing: ['a'], passing: ['b'] }, ['c0'])
  expect(judged?.isTampered ?? null).toBe(isTampered)
})
