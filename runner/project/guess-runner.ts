import { parseObject } from '#lib/domain/text/index.ts'
import { guessPython } from './guess-python.ts'
import { type ReadRoot, TESTS, type TestRunner } from './test-runner.ts'

/** Detects the runner of a repository's tests from its own files; null = none known. */
export function guessRunner(read: ReadRoot, { offline = false } = {}): TestRunner | null {
  return guessJavaScript(read) ?? guessPython(read, TESTS, offline) ?? guessGo(read)
}

/** Install folder of bun: the verifier has no network, and sees only the system's own programs. */
const BUN_FOLDER = '.bun'
const BUN = `${BUN_FOLDER}/node_modules/.bin/bun`

const JAVASCRIPT = {
  vitest: {
    command: `npx vitest run --reporter=default --reporter=json --outputFile={report} ${TESTS}`,
    format: 'vitest',
  },
  jest: {
    command: `npx jest --json --outputFile={report} --runTestsByPath ${TESTS}`,
    format: 'jest',
  },
  mocha: {
    command: `npx mocha --reporter xunit --reporter-option output={report} ${TESTS}`,
    format: 'junit',
  },
  ava: { command: `npx ava --tap ${TESTS}`, format: 'tap' },
  tap: { command: `npx tap --reporter=tap --disable-coverage ${TESTS}`, format: 'tap' },
  bun: {
    command: `${BUN} test --reporter=junit --reporter-outfile={report} ${TESTS}`,
    format: 'junit',
  },
  node: {
    command: `node --test --test-reporter=tap --test-reporter-destination={report} --test-reporter=spec --test-reporter-destination=stdout ${TESTS}`,
    format: 'node',
  },
} as const

const INSTALLED = ['vitest', 'jest', 'mocha', 'ava', 'tap'] as const

export type NpmManifest = {
  scripts?: Record<string, unknown>
  packageManager?: unknown
  dependencies?: Record<string, unknown>
  devDependencies?: Record<string, unknown>
}

function guessJavaScript(read: ReadRoot): TestRunner | null {
  const text = read('package.json')
  if (text === null) return null
  const manifest = parseManifest(text)
  const test = testScript(manifest)
  const installed = { ...manifest.dependencies, ...manifest.devDependencies }
  const name = nameRunner(test, installed)
  if (name === undefined) return null
  const own = Object.keys(installed).length > 0 ? [installer(read, manifest)] : []
  const setup = name === 'bun' ? withBun(own, manifest) : own
  const { command, format } = JAVASCRIPT[name]
  const protect = name === 'mocha' ? ['**/.mocharc.*'] : []
  return { command: asScript(name, forVersion(command, installed), test), format, setup, protect }
}

const RUNS_SCRIPT = /\b(?:npm|pnpm|yarn|bun)(?:\s+run)?\s+([\w:.-]+)/g

/** Returns the script of `npm test`, with the scripts that it starts after their names. */
function testScript({ scripts }: NpmManifest): string {
  const seen = new Set(['test'])
  const unfold = (script: string): string =>
    script.replace(RUNS_SCRIPT, (start, name: string) => {
      const inner = scripts?.[name]
      if (typeof inner !== 'string' || seen.has(name)) return start
      seen.add(name)
      return `${start} && ${unfold(inner)}`
    })
  return unfold(String(scripts?.test ?? ''))
}

function nameRunner(test: string, installed: object): keyof typeof JAVASCRIPT | undefined {
  const named = INSTALLED.find((name) => isWordOf(test, name))
  if (named !== undefined) return named
  if (/\b(node|tsx)\b.*--test\b/.test(test)) return 'node'
  if (/\bbun test\b/.test(test)) return 'bun'
  return INSTALLED.find((name) => Object.hasOwn(installed, name))
}

function isWordOf(script: string, name: string): boolean {
  // Reporters, options and folders have this name, too.
  if (name === 'tap') return /(?<![-=./\w])tap(?![-./\w])/.test(script)
  return new RegExp(`\\b${name}(?!\\w)`).test(script)
}

/** Returns whether a manifest's test script or dependencies name a program. */
export function namesProgram(manifest: NpmManifest, name: string): boolean {
  const { dependencies, devDependencies } = manifest
  return (
    isWordOf(testScript(manifest), name) ||
    Object.hasOwn({ ...dependencies, ...devDependencies }, name)
  )
}

/** Adapts to older versions of tap, which name this option differently, and reject the run for uncovered lines. */
function forVersion(command: string, { tap }: { tap?: unknown }): string {
  const [major = '99'] = /\d+/.exec(String(tap ?? '')) ?? []
  return Number(major) < 18 ? command.replace('--disable-coverage', '--no-coverage') : command
}

/** Installs bun first, which then installs its packages. */
function withBun(setup: readonly string[], { packageManager }: NpmManifest): string[] {
  const [, version = 'latest'] = /^bun@(\d+\.\d+\.\d+[\w.-]*)/.exec(String(packageManager)) ?? []
  return [
    // In its own package: with --prefix, npm would ignore this machine's registry settings.
    `mkdir -p ${BUN_FOLDER} && cd ${BUN_FOLDER} && echo {} > package.json && npm install --no-audit --no-fund bun@${version}`,
    ...setup.map((command) => command.replace(/^npx --yes bun(?:@\S+)?(?= )/, BUN)),
  ]
}

/** Adds to the command what the repository's own script passes to the runner for loading the tests. */
function asScript(name: keyof typeof JAVASCRIPT, command: string, script: string): string {
  const words = loadersOf(script)
  const loaders = words.map((word) => ` ${quote(word)}`).join('')
  if (name === 'node') {
    const isTsx = /\btsx\b(?=.*--test\b)/.test(script) && !words.includes('tsx')
    return command.replace('node', () => `node${loaders}${isTsx ? ' --import tsx' : ''}`)
  }
  if (name === 'mocha') {
    const program = /\bts-mocha\b/.test(script) ? 'ts-mocha' : 'mocha'
    return command.replace('mocha', () => `${program}${loaders}`)
  }
  const isModules = name === 'jest' && script.includes('--experimental-vm-modules')
  return isModules ? `NODE_OPTIONS=--experimental-vm-modules ${command}` : command
}

const WITH_VALUE = /^(-r|--(import|require|loader|experimental-loader|conditions|env-file))$/
const WITHOUT =
  /^(--(import|require|loader|conditions|env-file)=.+|--experimental-(?!test-coverage|test-isolation|loader$)\S+)$/

/** Lists a script's options for loading modules, as words. */
function loadersOf(script: string): string[] {
  const words = script.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
  const plain = words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
  return plain.flatMap((word, at) => {
    const value = plain[at + 1]
    if (WITH_VALUE.test(word)) return value === undefined ? [] : [word, value]
    return WITHOUT.test(word) ? [word] : []
  })
}

export function parseManifest(text: string): NpmManifest {
  return parseObject(text) ?? {}
}

/** Uses the version that `packageManager` names: another one may reject the lock file, or this Node. */
function installer(read: ReadRoot, { packageManager }: NpmManifest): string {
  if (read('package-lock.json') !== null) return 'npm ci --no-audit --no-fund'
  const [, manager = '', version = ''] =
    /^(pnpm|yarn|bun)@(\d+\.\d+\.\d+[\w.-]*)/.exec(String(packageManager)) ?? []
  const npx = (name: string, of: string) =>
    `npx --yes ${name}${manager === of ? `@${version}` : ''} install`
  if (read('pnpm-lock.yaml') !== null) return `${npx('pnpm', 'pnpm')} --frozen-lockfile`
  if (read('yarn.lock') !== null) {
    const isBerry = manager === 'yarn' ? !/^[01]\./.test(version) : read('.yarnrc.yml') !== null
    // Without node_modules folders, only Yarn itself could start a test runner.
    if (isBerry)
      return `YARN_NODE_LINKER=node-modules ${npx('@yarnpkg/cli-dist', 'yarn')} --immutable`
    return `${npx('yarn', 'yarn')} --frozen-lockfile`
  }
  if (['bun.lock', 'bun.lockb'].some((name) => read(name) !== null))
    return `${npx('bun', 'bun')} --frozen-lockfile`
  return 'npm install --no-audit --no-fund'
}

/** Compiled packages, made once by the set-up: every run of the tests starts in a fresh place. */
const GO_CACHE = 'GOCACHE="$PWD/.gocache"'

function guessGo(read: ReadRoot): TestRunner | null {
  if (read('go.mod') === null) return null
  const vendor = read('go.sum') === null ? [] : ['go mod vendor']
  // Tests of the base may not compile; what does is in the cache.
  const setup = [...vendor, `${GO_CACHE} go test -run '^$' ./... || true`]
  return { command: `${GO_CACHE} go test -json ./...`, format: 'go', setup, protect: [] }
}

/** Builds the verify command for these tests; every path is one shell word, and none is an option. */
export function commandFor(command: string, tests: readonly string[]): string {
  const words = tests.map((path) => quote(path.startsWith('-') ? `./${path}` : path))
  return command.replaceAll(TESTS, () => words.join(' '))
}

function quote(word: string): string {
  return /^[\w@.+/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
