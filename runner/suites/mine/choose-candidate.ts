import { relativePathSchema } from '#lib/domain/record/index.ts'
import { matchesAny } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { isOfGit } from '../../repository/overlay.ts'
import { type Fall, fall } from './fall-reasons.ts'

/** One file that a commit changes, as listed by git without rename detection. */
export type ChangedFile = {
  path: string
  /** As `100644`; `000000` = the file does not exist. */
  before: { mode: string; id: string }
  after: { mode: string; id: string }
  /** Lines added and removed; null = binary. */
  lines: number | null
}

/** A commit from the log. */
export type Commit = {
  id: string
  parents: readonly string[]
  /** `YYYY-MM-DD`, when it was committed. */
  date: string
  message: string
  /** Changes compared with its first parent, by path. */
  files: ReadonlyMap<string, ChangedFile>
}

/** Distinguishes tests from other files, and limits the size of a change. */
export type Sieve = {
  /** Globs of tests; with a leading `!`: tests that the verify command does not run. */
  tests: readonly string[]
  /**
   * Returns whether a path configures the test runner: used for judging as committed, and not editable by a subject.
   */
  isSteering: (path: string) => boolean
  /** True if dependencies are installed from the parent's files. */
  hasSetup: boolean
  /** A merge is taken as the pull request that it brings: its difference to its first parent. */
  takesMerges: boolean
  mostFiles: number
  mostLines: number
}

/** A commit's files, assigned to the parts of a task. */
export type Candidate = {
  /** Added for judging: tests, the files they need, and configuration of the runner. */
  judged: ChangedFile[]
  /** The tests among them that are run. */
  run: string[]
  solution: ChangedFile[]
}

/** Files that are tests by the conventions of their languages, or that are next to them. */
export const TEST_GLOBS = [
  ...['test', 'tests', '__tests__', '__snapshots__', 'testdata', 'spec'].map(
    (name) => `**/${name}/**`,
  ),
  ...['*.test.*', '*.spec.*', 'test_*.py', '*_test.py', 'conftest.py', '*_test.go'].map(
    (name) => `**/${name}`,
  ),
]

const RUN_NAME = /\.(test|spec)\.[a-z]+$|^test_.*\.py$|_test\.(py|go)$/
const RUN_KIND = /\.([cm]?[jt]sx?|py|go|sh)$/

const LOCKS = new Set([
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'],
  ...['bun.lockb', 'poetry.lock', 'uv.lock', 'Pipfile.lock', 'requirements.txt', 'go.sum'],
  'Cargo.lock',
])

const MANIFESTS = new Set([
  ...['package.json', 'pnpm-workspace.yaml', '.npmrc', '.yarnrc.yml', 'pyproject.toml', 'go.mod'],
  ...['setup.py', 'setup.cfg', 'tox.ini'],
])

/** Returns whether a file names packages that a set-up installs. */
export function namesPackages(path: string): boolean {
  const name = path.split('/').at(-1) ?? ''
  return LOCKS.has(name) || MANIFESTS.has(name) || /requirements.*\.txt$/.test(path)
}

const GONE = '000000'
const MODES: Readonly<Record<string, 'submodule' | 'symlink'>> = {
  160000: 'submodule',
  120000: 'symlink',
}

/** Sorts a commit's files into tests and solution, or returns why it yields no task. */
export function chooseCandidate(
  { parents, files: changed }: Pick<Commit, 'parents' | 'files'>,
  sieve: Sieve,
): Candidate | Fall {
  const files = [...changed.values()]
  if (parents.length > 1 && !sieve.takesMerges) return fall('merge')
  if (parents.length === 0) return fall('root')
  const tests = files.filter(({ path }) => isTest(path, sieve))
  const there = tests.filter(({ after }) => after.mode !== GONE)
  if (tests.length > 0 && there.length === 0) return fall('tests-deleted')
  const run = runnable(
    there.map(({ path }) => path),
    sieve,
  )
  if (run.length === 0) return fall('no-tests')
  const rest = files.filter((file) => !tests.includes(file))
  const steering = rest.filter(({ path, after }) => sieve.isSteering(path) && after.mode !== GONE)
  const solution = rest.filter(({ path }) => !sieve.isSteering(path))
  if (solution.length === 0) return fall('only-tests')
  return (
    findUnfit([...solution, ...there, ...steering], sieve) ??
    findTooLarge(solution, sieve) ?? { judged: [...there, ...steering], run, solution }
  )
}

function isTest(path: string, { tests }: Sieve): boolean {
  return matchesAny(
    path,
    tests.map((glob) => glob.replace(/^!/, '')),
  )
}

/** Returns the files that are tests by name, or, if there are none, all that could be programs. */
function runnable(paths: readonly string[], { tests }: Sieve): string[] {
  const never = tests.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  const left = paths.filter((path) => !matchesAny(path, never))
  const named = left.filter((path) => RUN_NAME.test(path.split('/').at(-1) ?? ''))
  const chosen = named.length > 0 ? named : left.filter((path) => RUN_KIND.test(path))
  return chosen.sort()
}

function findUnfit(files: readonly ChangedFile[], { hasSetup }: Sieve): Fall | null {
  for (const { path, before, after } of files) {
    const kind = MODES[before.mode] ?? MODES[after.mode]
    if (kind) return fall(kind, path)
    if (isOdd(path)) return fall('odd-path', JSON.stringify(path).slice(0, 300))
    if (hasSetup && LOCKS.has(path.split('/').at(-1) ?? '')) return fall('lock-changed', path)
  }
  return null
}

/** Returns whether a path cannot be in a task: it leaves the task, belongs to git, or contains control characters. */
function isOdd(path: string): boolean {
  return (
    !relativePathSchema.safeParse(path).success ||
    isOfGit(path) ||
    /[\p{Cc}\p{Cf}\uFFFD]/u.test(path)
  )
}

function findTooLarge(
  solution: readonly ChangedFile[],
  { mostFiles, mostLines }: Sieve,
): Fall | null {
  const binary = solution.find(({ lines }) => lines === null)
  if (binary) return fall('binary', binary.path)
  if (solution.length > mostFiles)
    return fall(
      'too-large',
      `${countOf(solution.length, 'file')} besides its tests, at most ${mostFiles}`,
    )
  const lines = countLines(solution)
  return lines > mostLines
    ? fall('too-large', `${countOf(lines, 'line')} besides its tests, at most ${mostLines}`)
    : null
}

export function countLines(files: readonly Pick<ChangedFile, 'lines'>[]): number {
  return files.reduce((sum, { lines }) => sum + (lines ?? 0), 0)
}
