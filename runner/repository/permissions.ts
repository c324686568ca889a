import { matchesAny, type RepositoryTask } from '#lib/domain/tasks/index.ts'
import type { Permission } from './take-changes.ts'

type Format = RepositoryTask['verify']['report']['format']

const JAVASCRIPT = ['package.json', '.npmrc', '.yarnrc.yml', '.pnp.cjs', '.pnp.loader.mjs'].map(
  (name) => `**/${name}`,
)
const PYTHON = [
  ...['conftest.py', 'sitecustomize.py', 'usercustomize.py', 'pytest.ini', 'tox.ini'],
  ...['setup.cfg', '*.pth', 'unittest.py', 'unittest/**'],
].map((name) => `**/${name}`)

/** Files that steer the runners which write a format of reports: changed or added, they would decide a verdict. */
const STEERING: Record<Format, readonly string[]> = {
  jest: [...JAVASCRIPT, '**/jest.config.*', '**/babel.config.*', '**/.babelrc*', '**/.swcrc'],
  vitest: [...JAVASCRIPT, '**/vitest.config.*', '**/vitest.workspace.*', '**/vite.config.*'],
  node: JAVASCRIPT,
  pytest: PYTHON,
  go: ['**/go.work', '**/vendor/modules.txt'],
  tap: [...JAVASCRIPT, ...PYTHON],
  junit: [...JAVASCRIPT, ...PYTHON],
  ctrf: [...JAVASCRIPT, ...PYTHON],
}

/**
 * What may be done with a path of the work on this task. Protected are the globs that the task lists, files that the
 * verify command names, and what steers the test runner; a glob of `allow` that is such a path itself lifts that.
 * `tests` are put over whatever stands there.
 */
export function permissionsOf(
  { change, verify }: Pick<RepositoryTask, 'change' | 'verify'>,
  tests: ReadonlySet<string>,
): (path: string) => Permission {
  const steering = [...STEERING[verify.report.format], ...wordsOf(verify.command)]
  return (path) => {
    if (matchesAny(path, change.protect)) return 'protected'
    if (tests.has(path) || path === verify.report.path) return 'replaced'
    if (change.allow.includes(path)) return 'allowed'
    if (matchesAny(path, steering)) return 'protected'
    return matchesAny(path, change.allow) ? 'allowed' : 'elsewhere'
  }
}

/** Words of a command that could be files of the repository. */
function wordsOf(command: string): string[] {
  return command
    .split(/[\s'"`;|&<>()=$]+/)
    .map((word) => word.replace(/^\.\//, ''))
    .filter((word) => /^[\w@.][\w@./-]*$/.test(word) && !word.includes('..') && !word.endsWith('/'))
}
