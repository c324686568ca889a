import { describe, expect, it } from 'vitest'
import { type ChangedFile, chooseCandidate, type Sieve, TEST_GLOBS } from './choose-candidate.ts'
import { instructionFrom, mergedMessage, withTestNames } from './instruct.ts'
import { halveChanges } from './prove-candidate.ts'

const SIEVE: Sieve = {
  tests: TEST_GLOBS,
  isSteering: (path) => path === 'package.json',
  hasSetup: true,
  takesMerges: false,
  mostFiles: 3,
  mostLines: 100,
}

const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  before: { mode: '100644', id: 'a' },
  after: { mode: '100644', id: 'b' },
  lines: 10,
  ...more,
})
const gone = { after: { mode: '000000', id: '0' } }
const [test, code] = [file('src/a.test.ts'), file('src/a.ts')]

function choose(files: ChangedFile[], more: Partial<Sieve> = {}, parents = ['p']) {
  const byPath = new Map(files.map((one) => [one.path, one]))
  const chosen = chooseCandidate({ parents, files: byPath }, { ...SIEVE, ...more })
  if ('code' in chosen) return chosen.code
  const { judged, run, solution } = chosen
  const paths = (some: readonly ChangedFile[]) => some.map(({ path }) => path)
  return { judged: paths(judged), run, solution: paths(solution) }
}

it('takes a merge as the pull request that it brings', () => {
  expect(choose([test, code], { takesMerges: true }, ['p', 'q'])).toMatchObject({
    run: ['src/a.test.ts'],
  })
  const pull = 'Merge pull request #7 from ada/slugs\n\nSlugs keep umlauts'
  expect(mergedMessage(pull, ['Add slugs'])).toBe('Slugs keep umlauts\n\n- Add slugs')
  expect(mergedMessage("Merge branch 'x'", ['fix: keep umlauts\n\nAs users ask.'])).toBe(
    'fix: keep umlauts\n\nAs users ask.',
  )
  expect(mergedMessage("Merge branch 'x'", ['Add slugs', 'Keep umlauts'])).toBe(
    'Add slugs\n\n- Keep umlauts',
  )
  expect(mergedMessage("Merge branch 'x'", [])).toBe("Merge branch 'x'")
})

describe('a commit gives a task', () => {
  it('of its tests, what lies beside them and steers them, and the rest', () => {
    const fixture = file('test/fixtures/data.bin', { lines: null })
    expect(choose([test, code, fixture, file('package.json')])).toEqual({
      judged: ['src/a.test.ts', 'test/fixtures/data.bin', 'package.json'],
      run: ['src/a.test.ts'],
      solution: ['src/a.ts'],
    })
  })

  it('of programs below a folder of tests where no name says test', () => {
    expect(choose([file('test/parse.js'), file('test/a.json'), code])).toMatchObject({
      run: ['test/parse.js'],
    })
  })

  it.each([
    ['merge', [test, code], {}, ['p', 'q']],
    ['root', [test, code], {}, []],
    ['no-tests', [code], {}, ['p']],
    ['no-tests', [test, code], { tests: ['**/*.test.ts', '!src/**'] }, ['p']],
    ['only-tests', [test], {}, ['p']],
    ['only-tests', [test, file('package.json')], {}, ['p']],
    ['tests-deleted', [file('src/a.test.ts', gone), code], {}, ['p']],
    ['submodule', [test, file('lib', { after: { mode: '160000', id: 'c' } })], {}, ['p']],
    ['symlink', [test, file('link', { before: { mode: '120000', id: 'c' } })], {}, ['p']],
    ['odd-path', [test, file('a\nb.ts')], {}, ['p']],
    ['odd-path', [test, file('a\\b.ts')], {}, ['p']],
    ['odd-path', [test, file('sub/.git/config')], {}, ['p']],
    ['odd-path', [test, file('a\u202eb.ts')], {}, ['p']],
    ['binary', [test, file('logo.png', { lines: null })], {}, ['p']],
    ['too-large', [test, ...['a', 'b', 'c', 'd'].map((name) => file(name))], {}, ['p']],
    ['too-large', [test, file('a.ts', { lines: 101 })], {}, ['p']],
    ['lock-changed', [test, code, file('web/package-lock.json')], {}, ['p']],
  ])('or falls out: %s', (code, files, sieve, parents) => {
    expect(choose(files, sieve, parents)).toBe(code)
  })

  it('a lock file is like any other where nothing is installed', () => {
    expect(choose([test, code, file('package-lock.json')], { hasSetup: false })).toMatchObject({
      solution: ['src/a.ts', 'package-lock.json'],
    })
  })
})

describe('an instruction', () => {
  it('is subject and body; issues stay, people and other commits go', () => {
    const told = instructionFrom(
      [
        'fix(parser): quoted commas are no separators (#12)',
        '',
        'A field in quotes may hold a comma.\u0007',
        '',
        'Fixes: #12',
        'Co-authored-by: Some One <one@example.org>',
        'Signed-off-by: Some One <one@example.org>',
        '(cherry picked from commit 0123456789abcdef)',
      ].join('\n'),
    )
    expect(told).toMatchObject({
      title: 'fix(parser): quoted commas are no separators (#12)',
      category: 'bug',
    })
    expect(told?.text).toContain('A field in quotes may hold a comma.\n\nFixes: #12\n\nMake this')
    expect(told?.text).not.toMatch(/example\.org|cherry|\p{Cc}(?<!\n)/u)
  })

  it.each([
    '',
    'wip',
    'fix',
    'fix: typo',
    'Update tests',
    'more fixes',
    'refactor: cleanup',
    '1.2',
  ])('is none for %j', (message) => expect(instructionFrom(message)).toBeNull())

  it('keeps a prefix that no object may give it', () => {
    expect(instructionFrom('constructor: takes two options')?.category).toBe('change')
  })

  it('names the tests, a hundred at most, each on a line', () => {
    const text = withTestNames('Do it.', [
      'a\n# b',
      ...Array.from({ length: 100 }, (_, at) => `t${at}`),
    ])
    expect(text).toContain('- a # b\n- t0\n')
    expect(text).toContain('- t98\n- and 1 more')
  })
})

describe('half of a change', () => {
  const change = (path: string, text: string) => ({
    path,
    bytes: Buffer.from(text),
    executable: false,
  })

  it('is half of its files', () => {
    const halves = halveChanges(
      ['a', 'b', 'c'].map((path) => change(path, path)),
      () => null,
    )
    expect(halves.map(({ changes }) => changes.map(({ path }) => path))).toEqual([
      ['a', 'b'],
      ['c'],
    ])
  })

  it('or of the hunks of its only file, and none of a single hunk', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`)
    const was = Buffer.from(`${lines.join('\n')}\n`)
    const both = `${['FIRST', ...lines.slice(1, 29), 'LAST'].join('\n')}\n`
    const texts = halveChanges([change('a', both)], () => was).map(({ changes }) =>
      String(changes[0]?.bytes).match(/FIRST|LAST/g),
    )
    expect(texts).toEqual([['FIRST'], ['LAST']])
    expect(halveChanges([change('a', 'other\n')], () => Buffer.from('one\n'))).toEqual([])
    expect(halveChanges([change('new', 'text\n')], () => null)).toEqual([])
  })
})
