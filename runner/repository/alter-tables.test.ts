import { expect, it } from 'vitest'
import { findAlterable } from './alter-tests.ts'

/** Returns the lines that some draw changed, with digits and letters of values as `#`. */
function changedLines(path: string, text: string): string[] {
  const test = { path, bytes: Buffer.from(text), executable: false }
  const before = text.split('\n')
  const changed = new Set<string>()
  for (let at = 0; at < 60; at++) {
    const { draw } = findAlterable([test], { valuesAlone: true })
    const [version = []] = draw(2).versions
    const lines = version.flatMap(({ bytes }) => String(bytes).split('\n'))
    expect(lines).toHaveLength(before.length)
    for (const [line, now] of lines.entries()) {
      const was = before[line] ?? ''
      if (now !== was)
        changed.add(
          [...now]
            .map((c, i) => (c === was[i] ? c : '#'))
            .join('')
            .trim(),
        )
    }
  }
  return [...changed].sort()
}

const EACH = `import { expect, test } from 'vitest'
test.each([
  [1, 2],
  [3, 6],
])('twice %i', (given, want) => { expect(twice(given)).toBe(want) })
`
const EACH_OBJECT = `it.each<Case>([
  { title: 'one', want: 2, given: 1 },
  { title: 'don, t', want: [4], given: 2 },
])('twice $title', ({ given, want }) => { expect(twice(given)).toEqual(want) })
`
const LOOP = `for (const [given, want] of [
  ['ab', 'AB'],
  [f('x'), "XY"],
]) {
  test(given, () => assert.equal(upper(given), want))
}
`
const INSIDE = `test('all', () => {
  const cases = [
    [1, 2],
    [3, 6],
  ]
  for (const [given, want] of cases) assert.equal(twice(given), want)
})
`
const PARAMETRIZE = `@pytest.mark.parametrize("n, want", [
    (1, 2),
    pytest.param(3, 6, id="three"),
])
def test_twice(n, want):
    assert twice(n) == want
`
const GO = `func TestTwice(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   int
		want int
	}{
		{"one", 1, 2},
		{name: "three", in: 3, want: 6},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Twice(tc.in); got != tc.want {
`

it.each([
  ['a.test.ts', EACH, ['[1, #],', '[3, #],'], 2],
  [
    'a.test.ts',
    EACH_OBJECT,
    ["{ title: 'don, t', want: [#], given: 2 },", "{ title: 'one', want: #, given: 1 },"],
    2,
  ],
  ['a.test.js', INSIDE, ['[1, #],', '[3, #],'], 1],
  ['test_a.py', PARAMETRIZE, ['(1, #),', 'pytest.param(3, #, id="three"),'], 2],
  ['a_test.go', GO, ['{"one", 1, #},', '{name: "three", in: 3, want: #},'], 2],
])('changes what is expected of a case in a table of %s alone: %#', (path, text, lines, count) => {
  expect(changedLines(path, text)).toEqual(lines)
  expect(findAlterable([{ path, bytes: Buffer.from(text), executable: false }]).tests).toHaveLength(
    count,
  )
})

it('changes a string of a case by one letter', () => {
  const lines = changedLines('a.test.js', LOOP)
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines)
    expect(line).toMatch(/^\['ab', '(#B|A#)'\],$|^\[f\('x'\), "(#Y|X#)"\],$/)
})

it.each([
  // No column that an assertion names, lists of names with different lengths, arguments of a call.
  "test.each([[1, 2]])('x', (a, b) => { expect(check(a, b)).toBeTruthy() })",
  "test.each([[1, 2]])('x', (a, want) => { expect(f(a)).toBe(want) })\nfor (const [want, a] of []) {}",
  "test('x', () => { const want = f(1, 2); expect(g(a, want)).toBe(want) })",
  `test.each([${'['.repeat(60)}`,
  `${'const x = ['.repeat(3000)}`,
])('changes nothing where it is not clear what is expected: %#', (text) => {
  expect(changedLines('a.test.js', text)).toEqual([])
})
