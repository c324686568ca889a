import { execFile } from 'node:child_process'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'
import type { TestTagDefinition } from 'vitest/config'
import { findBrowser } from '../setup/ensure-browser.mjs'
import { findNginx, findOnPath } from '../setup/ensure-program.mjs'
import { findPrograms } from './run/postgres-programs.mjs'

/** A requirement of a test that some machines or runs do not meet. */
export type Need = keyof typeof NEEDS

declare module 'vitest' {
  interface TestTags {
    need: Need
  }
  interface TaskMeta {
    /** The missing requirement of a skipped test, with how to get it. `npm test` counts skipped tests by it. */
    lacks?: string
  }
}

type Env = Readonly<Record<string, string | undefined>>

/** A requirement: its name in the last line of `npm test`, and a check whether it is met. */
type Condition = { label: string; isMet: (onPostgres: boolean) => boolean | Promise<boolean> }

const { env, platform } = process
const isRoot = process.getuid?.() === 0

/** The first unmet requirement is the reason why a test is skipped. */
const NEEDS = {
  night: when('npm run test:all', env.PROOFBOARD_TEST_NIGHT === 'all'),
  'prove-ci': when('npm run prove:ci', env.PROOFBOARD_PROVE_CI === '1'),
  'on-postgresql': { label: 'npm test -- --only postgresql', isMet: (onPostgres) => onPostgres },
  'on-sqlite': { label: 'SQLite', isMet: (onPostgres) => !onPostgres },
  linux: when('Linux', platform === 'linux'),
  root: when('root', isRoot),
  'plain-user': when('a user other than root', !isRoot),
  bubblewrap: { label: installed('bubblewrap'), isMet: runsBubblewrap },
  chromium: when(installed('chromium'), findBrowser() !== null),
  chromedriver: { label: installed('chromium-driver'), isMet: fitsChromedriver },
  postgresql: when(installed('postgresql'), findPrograms() !== null),
  pytest: { label: installed('python3-pytest'), isMet: runsPytest },
  nginx: when(installed('nginx-light'), findNginx() !== null),
  python: when(installed('python3'), findOnPath(env, ['python3']) !== null),
  r: when(installed('r-base-core'), findOnPath(env, ['Rscript']) !== null),
  go: when(installed('golang-go'), findOnPath(env, ['go']) !== null),
} satisfies Record<string, Condition>

/**
 * Vitest's tags, one per requirement: `it('…', { tags: 'bubblewrap' }, …)` is skipped, with the reason, if bubblewrap
 * does not work. The `// @module-tag` comments of a file apply to all of its tests. `onPostgres` = their databases are
 * those of a PostgreSQL server.
 */
export async function listTags(onPostgres = false): Promise<TestTagDefinition[]> {
  const tags = Object.entries<Condition>(NEEDS).map(async ([name, { label, isMet }], place) => ({
    name: name as Need,
    description: label,
    priority: place + 1,
    ...((await isMet(onPostgres)) ? {} : lacking(label)),
  }))
  return Promise.all(tags)
}

/** Options of a test that is skipped for a reason known only to its file; null = it runs. */
export function lacking(reason: string | null): { skip?: boolean; meta?: { lacks: string } } {
  return reason === null ? {} : { skip: true, meta: { lacks: reason } }
}

function when(label: string, isMet: boolean): Condition {
  return { label, isMet: () => isMet }
}

function installed(debianPackage: string): string {
  return `${debianPackage} (apt-get install ${debianPackage})`
}

const run = promisify(execFile)
const PROBE = { timeout: 20_000 }

function runs(program: string, args: readonly string[], more: { env?: Env } = {}) {
  return run(program, [...args], { ...PROBE, ...more } as object).then(
    () => true,
    () => false,
  )
}

/** Starts a program in bubblewrap directly: Proofboard's own sandbox is what the tests check. */
function runsBubblewrap(): Promise<boolean> {
  const walls = ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc']
  return runs('bwrap', [...walls, '/bin/true'])
}

/** A sandbox has only the system's programs, and no packages of a user. */
function runsPytest(): Promise<boolean> {
  const clean = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent' }
  return runs('python3', ['-m', 'pytest', '--version'], { env: clean })
}

/** Debian installs the program in these folders, which are not in PATH. */
const DRIVER_FOLDERS = ['/usr/lib/chromium', '/usr/lib/chromium-browser']

/** Compares the major versions of chromedriver and Chromium. */
async function fitsChromedriver(): Promise<boolean> {
  const paths = [env.PATH, ...DRIVER_FOLDERS].join(delimiter)
  const driver = env.PROOFBOARD_CHROMEDRIVER || findOnPath({ PATH: paths }, ['chromedriver'])
  const browser = findBrowser()
  if (!driver || browser === null) return false
  const [one, other] = await Promise.all([driver, browser].map(readMajor))
  return one !== null && one === other
}

async function readMajor(program: string): Promise<string | null> {
  const { stdout } = await run(program, ['--version'], PROBE).catch(() => ({ stdout: '' }))
  return / (\d+)\./.exec(stdout)?.[1] ?? null
}
