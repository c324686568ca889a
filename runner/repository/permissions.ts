import { posix } from 'node:path'
import { matchesAny, type RepositoryTask } from '#lib/domain/tasks/index.ts'
import type { Permission } from './take-changes.ts'

type Format = RepositoryTask['verify']['report']['format']

const JAVASCRIPT = [
  ...['package.json', '.npmrc', '.yarnrc.yml', '.pnp.cjs', '.pnp.loader.mjs', '.node-version'],
  ...['.mocharc*', '.taprc*', 'ava.config.*', '.nycrc*', '.env*'],
].map((name) => `**/${name}`)
const PYTHON = [
  ...['conftest.py', 'sitecustomize.py', 'usercustomize.py', 'pytest.ini', 'tox.ini', '.env*'],
  ...['pytest.toml', '.pytest.toml', 'pyproject.toml', '.coveragerc'],
  ...['setup.cfg', '*.pth', 'unittest.*', 'unittest/**', 'pytest.*', 'pytest/**', '_pytest/**'],
  ...['pluggy.*', 'pluggy/**', 'iniconfig.*', 'iniconfig/**'],
].map((name) => `**/${name}`)

/** Configuration files of programs in verify commands. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  make: ['Makefile', 'makefile', 'GNUmakefile', '*.mk'],
  just: ['justfile', '.justfile'],
  nox: ['noxfile.py'],
  tox: ['tox.ini'],
  task: ['Taskfile.*'],
  rake: ['Rakefile'],
  cargo: ['Cargo.toml', 'build.rs', '.cargo/**', 'rust-toolchain', 'rust-toolchain.toml'],
  gradle: ['build.gradle*', 'settings.gradle*'],
  mvn: ['pom.xml'],
}

/** Files that configure the runners which write a report format: changed or added, they would decide a verdict. */
const STEERING: Record<Format, readonly string[]> = {
  jest: [...JAVASCRIPT, '**/jest.config.*', '**/babel.config.*', '**/.babelrc*', '**/.swcrc'],
  vitest: [...JAVASCRIPT, '**/vitest.config.*', '**/vitest.workspace.*', '**/vite.config.*'],
  node: JAVASCRIPT,
  pytest: PYTHON,
  go: ['**/go.work', '**/vendor/**'],
  tap: [...JAVASCRIPT, ...PYTHON],
  junit: [...JAVASCRIPT, ...PYTHON],
  ctrf: [...JAVASCRIPT, ...PYTHON],
}

/** Documentation for people: work that documents a setting there is honest. */
const SAMPLE = /(?:^|\/)\.env\.(?:example|sample|template)$/

/**
 * Decides what a subject may do with a path of this task. Protected are the globs that the task lists, files that the
 * verify command names, and configuration of the test runner; a glob of `allow` that is exactly such a path lifts that.
 * `tests` replace existing files.
 */
export function permissionsOf(
  { change, verify }: Pick<RepositoryTask, 'change' | 'verify'>,
  tests: ReadonlySet<string>,
): (path: string) => Permission {
  const steering = [...STEERING[verify.report.format], ...wordsOf(verify.command)].map(folded)
  const guarded = change.protect.map(folded)
  const snapshots = [...tests].map(snapshotOf)
  const replaced = new Set([...tests, ...snapshots, verify.report.path ?? ''].map(folded))
  return (path) => {
    // Names that differ in case or Unicode form are the same file on some systems.
    const name = folded(path)
    if (matchesAny(name, guarded)) return 'protected'
    if (replaced.has(name)) return 'replaced'
    if (change.allow.includes(path)) return 'allowed'
    if (matchesAny(name, steering) && !SAMPLE.test(name)) return 'protected'
    return matchesAny(path, change.allow) ? 'allowed' : 'elsewhere'
  }
}

/** Snapshots that jest and vitest compare with for a test file belong to the task like the test itself. */
function snapshotOf(path: string): string {
  return posix.join(posix.dirname(path), '__snapshots__', `${posix.basename(path)}.snap`)
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/**
 * Lists the parts of a command that could be files of the repository: words, Python modules, configuration of a known
 * program.
 */
function wordsOf(command: string): string[] {
  const parts = command.split(/[\s'"`;|&<>()=$]+/)
  const words = parts
    .map((word) => word.replace(/^\.\//, ''))
    .filter((word) => /^[\w@.][\w@./-]*$/.test(word) && !word.includes('..') && !word.endsWith('/'))
  const modules = [...command.matchAll(/\s-m\s+([\w.]+)/g)].flatMap(([, name = '']) => {
    const path = name.replaceAll('.', '/')
    return [`${path}.py`, `${path}/**`]
  })
  const orders = parts.flatMap((word) => ORDERS[word.split('/').at(-1) ?? ''] ?? [])
  return [...words, ...modules, ...orders.map((name) => `**/${name}`)]
}
