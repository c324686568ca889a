import { existsSync, realpathSync } from 'node:fs'
import { posix, relative, sep } from 'node:path'
import { parseJson, present } from '#lib/domain/text/index.ts'
import { plainGit } from '../sandbox/process/git.ts'
import { REQUIREMENTS } from './guess-python.ts'
import { guessRunner } from './guess-runner.ts'
import type { TestRunner } from './test-runner.ts'
import { describeUnread, KNOWN_RUNNERS, listPackages } from './why-no-runner.ts'

/** A git repository with tests that can be run here: the basis of a user's first task. */
export type OwnRepository = {
  /** Relative path from the project's folder to the root of the repository: `.`, `../..`. */
  top: string
  commit: string
  /** The project's folder below the root; '' = it is the root. */
  below: string
  /** Its commands run in the root. */
  runner: TestRunner
  /** Files of the commit, below the project's folder. */
  files: readonly string[]
  /** Returns the text of one of them. */
  read: (path: string) => Promise<string>
}

type Found = { repository: OwnRepository | null; notes: string[] }
type Entry = { kind: string; path: string }

/**
 * Finds the repository of a folder; if it cannot serve as a task's source, the only note explains why. Runs only git.
 */
export async function findOwnRepository(folder: string): Promise<Found> {
  const opened = await openRepository(folder)
  if (typeof opened === 'string') return without(opened)
  const { ask, commit, below, top } = opened
  const listed = await ask('ls-tree', '-r', '-z', '--full-tree', commit)
  const all = listed.split('\0').flatMap(readEntry)
  const read = (path: string) => ask('cat-file', 'blob', `${commit}:${path}`)
  const manifests = await readManifests(all, below, read)
  const runner = guessRunner(manifests.read)
  const files = all.flatMap(({ kind, path }) => (kind === 'blob' ? within(path, below) : []))
  if (runner === null || runner.format === 'go')
    return without(whyNoRunner(files, manifests.read, runner))
  const installedIn = runner.format === 'pytest' ? below : manifests.installedIn
  const placed = placeRunner(runner, all, installedIn)
  return {
    repository: {
      top,
      commit,
      below,
      files,
      runner: { ...placed, command: inFolder(below, placed.command) },
      read: (path) => read(posix.join(below, path)),
    },
    notes: [...(await stateNotes(opened, all)), ...notesOf(placed)],
  }
}

/** Returns its path and current commit, or why it is not a repository. */
async function openRepository(folder: string) {
  if (!existsSync(folder)) return NO_REPOSITORY
  const place = realpathSync(folder)
  const ask = async (...args: string[]) =>
    (await plainGit(['-C', place, ...args])).toString('utf8').replace(/\n$/, '')
  const found = await ask('rev-parse', '--show-toplevel').catch((error: Error) => error)
  if (found instanceof Error)
    return /dubious ownership/.test(found.message)
      ? 'git refuses this repository, which belongs to another user'
      : NO_REPOSITORY
  const commit = await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}').catch(() => null)
  if (found === '' || commit === null) return 'this repository has no commit yet'
  const root = realpathSync(found)
  const below = relative(root, place).split(sep).join('/')
  return { ask, commit, below, top: relative(place, root) || '.' }
}

const NO_REPOSITORY = 'this folder is not in a git repository'

type Opened = Exclude<Awaited<ReturnType<typeof openRepository>>, string>

async function stateNotes({ ask, commit }: Opened, all: readonly Entry[]): Promise<string[]> {
  const changed = await ask('status', '--porcelain', '--untracked-files=no').catch(() => '')
  return present([
    changed !== '' &&
      `the task starts from commit ${commit.slice(0, 12)}, without your uncommitted changes`,
    all.some(({ kind }) => kind === 'commit') &&
      'submodules are empty folders in the task: what needs them fails',
  ])
}

const without = (reason: string): Found => ({
  repository: null,
  notes: [`the example task uses a small separate repository, because ${reason}`],
})

function readEntry(line: string): Entry[] {
  const [about = '', path = ''] = line.split('\t')
  return path === '' ? [] : [{ kind: about.split(' ')[1] ?? '', path }]
}

function within(path: string, below: string): string[] {
  if (below === '') return [path]
  return path.startsWith(`${below}/`) ? [path.slice(below.length + 1)] : []
}

const LOCKS = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb']
/** Files next to a lock file that tell which program reads it. */
const BESIDE_LOCKS = ['.yarnrc.yml']
const MANIFESTS = [
  ...['package.json', 'pytest.ini', 'pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini'],
  ...['conftest.py', 'requirements.txt', 'go.mod', 'go.sum'],
  ...REQUIREMENTS,
]

/** Reads the files that reveal the test runner: the project's own, and in a monorepo those that all packages share. */
async function readManifests(
  all: readonly Entry[],
  below: string,
  read: (path: string) => Promise<string>,
) {
  const known = new Set(all.map(({ path }) => path))
  const parts = below === '' ? [] : below.split('/')
  const above = parts.map((_, at) => parts.slice(0, at).join('/')).reverse()
  const hasLock = (folder: string) => LOCKS.some((name) => known.has(posix.join(folder, name)))
  const installedIn = [below, ...above].find(hasLock) ?? below
  const texts = new Map<string, string>()
  for (const name of MANIFESTS)
    if (known.has(posix.join(below, name))) texts.set(name, await read(posix.join(below, name)))
  for (const name of [...LOCKS, ...BESIDE_LOCKS])
    if (known.has(posix.join(installedIn, name))) texts.set(name, '')
  const sources = posix.join(below, 'src/')
  if (all.some(({ path }) => path.startsWith(sources))) texts.set('src', '')
  const shared = posix.join(installedIn, 'package.json')
  const own = texts.get('package.json')
  if (installedIn !== below && own !== undefined && known.has(shared))
    texts.set('package.json', shareDependencies(own, await read(shared)))
  return { installedIn, read: (path: string) => texts.get(path) ?? null }
}

type Manifest = { dependencies?: object; devDependencies?: object; packageManager?: unknown }

function shareDependencies(own: string, shared: string): string {
  const [mine, all] = [own, shared].map((text) => (parseJson(text) ?? {}) as Manifest)
  const devDependencies = {
    ...all?.dependencies,
    ...all?.devDependencies,
    ...mine?.devDependencies,
  }
  const packageManager = mine?.packageManager ?? all?.packageManager
  return JSON.stringify({ ...mine, packageManager, devDependencies })
}

/** Returns the set-up next to the lock file; none if the commit contains the packages themselves. */
function placeRunner(runner: TestRunner, all: readonly Entry[], installedIn: string): TestRunner {
  const packages = posix.join(installedIn, 'node_modules/')
  const isVendored = all.some(({ path }) => path.startsWith(packages))
  const setup = isVendored ? [] : runner.setup.map((command) => inFolder(installedIn, command))
  return { ...runner, setup }
}

function inFolder(folder: string, command: string): string {
  if (folder === '') return command
  const word = /^[\w@.+/-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`
  return `cd ${word} && ${command}`
}

function notesOf({ setup }: TestRunner): string[] {
  return setup.some((command) => command.includes('npm install'))
    ? ['there is no lock file: the set-up may install other versions elsewhere']
    : []
}

function whyNoRunner(
  files: readonly string[],
  read: (path: string) => string | null,
  runner: TestRunner | null,
): string {
  if (runner !== null) return 'no example is written for Go, whose reports are read'
  const known = describeUnread(read) ?? `no test command is known here (${KNOWN_RUNNERS})`
  const [first] = listPackages(files)
  return first === undefined
    ? known
    : `${known}; or run init in the folder of one package, such as ${first}`
}
