import { describe, expect, it } from 'vitest'
import { type ChangedFile, chooseCandidate, type Sieve, TEST_GLOBS } from './choose-candidate.ts'
import { commandFor, guessRunner } from './guess-runner.ts'
import { instructionFrom, withTestNames } from './instruct.ts'
import { halveChanges } from './prove-candidate.ts'
import { describeUnread, exampleFor, listPackages } from './why-no-runner.ts'

const SIEVE: Sieve = {
  tests: TEST_GLOBS,
  isSteering: (path) => path === 'package.json',
  hasSetup: true,
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
  const chosen = chooseCandidate({ parents }, files, { ...SIEVE, ...more })
  if ('code' in chosen) return chosen.code
  const { judged, run, solution } = chosen
  const paths = (some: readonly ChangedFile[]) => some.map(({ path }) => path)
  return { judged: paths(judged), run, solution: paths(solution) }
}

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

describe('the runner is guessed', () => {
  const guess = (files: Record<string, unknown>) =>
    guessRunner((path) => {
      const value = files[path]
      if (value === undefined) return null
      return typeof value === 'string' ? value : JSON.stringify(value)
    })

  it.each([
    ['vitest', { devDependencies: { vitest: '4' } }, 'vitest'],
    ['vitest', { scripts: { test: 'vitest run' }, devDependencies: { jest: '29' } }, 'vitest'],
    ['jest', { scripts: { test: 'jest' } }, 'jest'],
    ['mocha', { devDependencies: { mocha: '11' } }, 'junit'],
    ['ava', { scripts: { test: 'c8 ava' } }, 'tap'],
    ['tap', { devDependencies: { tap: '^21' } }, 'tap'],
    ['bun test', { scripts: { test: 'bun test --coverage' } }, 'junit'],
    ['node --test', { scripts: { test: 'node --test test/' } }, 'node'],
    ['node --test', { scripts: { test: 'node --test --test-reporter=tap test/tap/*.js' } }, 'node'],
  ])('%s', (name, manifest, format) => {
    const runner = guess({ 'package.json': manifest })
    expect(runner).toMatchObject({ format })
    expect(runner?.command).toContain(name.split(' ')[0])
  })

  it('with the set-up that the lock file asks for', () => {
    const manifest = { devDependencies: { vitest: '4' } }
    const setupOf = (lock: string) => guess({ 'package.json': manifest, [lock]: '' })?.setup[0]
    expect(setupOf('package-lock.json')).toMatch(/^npm ci/)
    expect(setupOf('pnpm-lock.yaml')).toMatch(/pnpm install/)
    expect(setupOf('bun.lock')).toMatch(/^npx --yes bun install --frozen-lockfile/)
    expect(setupOf('none')).toMatch(/^npm install/)
    expect(guess({ 'package.json': { scripts: { test: 'node --test' } } })?.setup).toEqual([])
  })

  it.each([
    ['pnpm@9.1.0+sha512.abc', { 'pnpm-lock.yaml': '' }, 'npx --yes pnpm@9.1.0 install'],
    ['yarn@1.22.19', { 'yarn.lock': '', '.yarnrc.yml': '' }, 'npx --yes yarn@1.22.19 install'],
    ['yarn@4.5.1', { 'yarn.lock': '' }, '@yarnpkg/cli-dist@4.5.1 install --immutable'],
    [undefined, { 'yarn.lock': '', '.yarnrc.yml': '' }, '@yarnpkg/cli-dist install --immutable'],
    [undefined, { 'yarn.lock': '' }, 'npx --yes yarn install --frozen-lockfile'],
    ['pnpm@9.1.0; rm -rf /', { 'yarn.lock': '' }, 'npx --yes yarn install'],
    ['pnpm@$(id)', { 'pnpm-lock.yaml': '' }, 'npx --yes pnpm install'],
  ])('installs with the program that the repository names: %s', (packageManager, locks, setup) => {
    const manifest = { packageManager, devDependencies: { vitest: '4' } }
    expect(guess({ 'package.json': manifest, ...locks })?.setup[0]).toContain(setup)
  })

  it.each([
    ['node --import tsx --test src/*.test.ts', 'node --import tsx --test '],
    ['tsx --test src/*.test.ts', 'node --import tsx --test '],
    ['node --test --experimental-test-coverage', 'node --test '],
    ["node --import 'data:a b' --test", "node --import 'data:a b' --test "],
    ['mocha -r ts-node/register --recursive', 'npx mocha -r ts-node/register --reporter '],
    ['ts-mocha -p tsconfig.json test/*.ts', 'npx ts-mocha --reporter '],
    [
      'NODE_OPTIONS="--experimental-vm-modules" jest',
      'NODE_OPTIONS=--experimental-vm-modules npx jest ',
    ],
    ['jest --coverage', 'npx jest --json '],
  ])('loads tests as the script does: %s', (script, start) => {
    expect(guess({ 'package.json': { scripts: { test: script } } })?.command).toMatch(
      new RegExp(`^${start.replaceAll(/[$.]/g, '\\$&')}`),
    )
  })

  it('installs bun where what judges finds it, in the version that is named', () => {
    const scripts = { test: 'bun test' }
    const setupOf = (more: object, files = {}) =>
      guess({ 'package.json': { scripts, ...more }, ...files })?.setup
    const bun = (version: string) => `npm install --no-audit --no-fund --prefix .bun bun@${version}`
    expect(setupOf({})).toEqual([bun('latest')])
    const named = { packageManager: 'bun@1.2.3', devDependencies: { zod: '4' } }
    expect(setupOf(named, { 'bun.lock': '' })).toEqual([
      bun('1.2.3'),
      '.bun/node_modules/.bin/bun install --frozen-lockfile',
    ])
    expect(setupOf(named)).toEqual([bun('1.2.3'), 'npm install --no-audit --no-fund'])
  })

  it.each([
    ['^16.3.0', '--no-coverage'],
    ['~21.0.1', '--disable-coverage'],
    ['latest', '--disable-coverage'],
  ])('asks tap %s for no coverage', (tap, option) => {
    const command = guess({ 'package.json': { devDependencies: { tap } } })?.command
    expect(command).toBe(`npx tap --reporter=tap ${option} {tests}`)
  })

  it.each([
    [{ scripts: { test: 'uvu tests' } }, 'its tests run with uvu, which writes no report'],
    [
      { devDependencies: { jasmine: '5' } },
      'its tests run with jasmine, which writes a report only',
    ],
    [{ scripts: { test: 'tape test/*.js | tap-spec' } }, 'its tests run with tape, which reports'],
    [{ scripts: { test: 'node test.js' } }, null],
  ])('says why nothing can be read of %j', (manifest, start) => {
    const said = describeUnread((path) =>
      path === 'package.json' ? JSON.stringify(manifest) : null,
    )
    expect(said?.slice(0, start?.length) ?? null).toBe(start)
  })

  it('gives an example for a package of a repository without a runner of its own', () => {
    const files: Record<string, string> = {
      'package.json': '{"workspaces":["packages/*"]}',
      'package-lock.json': '',
      'packages/a/package.json': '{"devDependencies":{"vitest":"4"}}',
    }
    expect(listPackages([...Object.keys(files), 'node_modules/x/package.json'])).toEqual([
      'packages/a',
    ])
    expect(exampleFor('packages/a', (path) => files[path] ?? null)).toBe(
      "--verify 'cd packages/a && npx vitest run --reporter=default --reporter=json --outputFile={report}' --report vitest --setup 'npm ci --no-audit --no-fund'",
    )
  })

  it('for python and go, and not for what writes no report that is read', () => {
    expect(guess({ 'pyproject.toml': '' })?.format).toBe('pytest')
    expect(guess({ 'go.mod': '', 'go.sum': '' })).toMatchObject({
      format: 'go',
      setup: ['go mod vendor'],
    })
    expect(guess({ 'Cargo.toml': '' })).toBeNull()
    expect(guess({ 'package.json': '[broken' })).toBeNull()
  })

  it('names of tests are words of the command and nothing else', () => {
    expect(commandFor('run {tests}', ['a b.js', "it's$(x).js", '-rf.js', '$&.js'])).toBe(
      "run 'a b.js' 'it'\\''s$(x).js' ./-rf.js '$&.js'",
    )
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
