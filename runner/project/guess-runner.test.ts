import { describe, expect, it } from 'vitest'
import { commandFor, guessRunner } from './guess-runner.ts'
import { describeUnread, exampleFor, listPackages } from './why-no-runner.ts'

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
    [
      'node --import tsx',
      {
        scripts: {
          test: 'npm run lint && pnpm test:all',
          lint: 'npm run test',
          'test:all': 'yarn run unit',
          unit: 'tsx --test src',
        },
      },
      'node',
    ],
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
    const bun = (version: string) =>
      expect.stringMatching(`^mkdir .* && cd .bun .* bun@${version}$`)
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
    const message = describeUnread((path) =>
      path === 'package.json' ? JSON.stringify(manifest) : null,
    )
    expect(message?.slice(0, start?.length) ?? null).toBe(start)
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
      setup: ['go mod vendor', expect.stringMatching(/^GOCACHE=/)],
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
