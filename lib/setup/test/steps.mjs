// @ts-check

import { availableParallelism } from 'node:os'
import { ensureBuilt } from '../build.mjs'
import { ensureBrowser, ensureShell, findBrowser } from '../ensure-browser.mjs'
import { ensureBubblewrap, ensureDocker, ensureProgram } from '../ensure-program.mjs'
import { runCommand } from '../process.mjs'
import { SetupFailure } from '../progress.mjs'
import { findPrograms } from './postgres-programs.mjs'
import { startPostgres } from './postgres-server.mjs'
import { NOTHING, skipStep } from './run-step.mjs'
import { runVitest } from './run-vitest.mjs'
import { runSelfTest } from './self-test.mjs'
import { testUnprepared } from './unprepared.mjs'

/** @typedef {import('./run-step.mjs').Tier} Tier */
/** `programs` = it starts bubblewrap and Chromium. */
/** @typedef {{ name: string, tier: Tier, lane?: string, programs?: true, what: string, run: () => Promise<StepResult> }} Step */

const BIN = 'node_modules'
/** A file that did not change is not read again: a quarter of the time of a check while working. */
const KNIP_CACHE = ['--cache', '--cache-location', `${BIN}/.cache/knip`]
/** Of large machines only a part: processes of tests take several processors each. */
const PROCESSORS = Math.min(4, availableParallelism())
const EVERY_DRAW = { PROOFBOARD_TEST_DRAWS: 'all' }
const REAL_AGENTS = {
  PROOFBOARD_TEST_AGENTS: 'pi,codex',
  PROOFBOARD_TEST_ISOLATION: 'local,bubblewrap,docker',
}
const EVERY_LIBRARY = { PROOFBOARD_TEST_LIBRARIES: 'all' }

/**
 * What `npm run check`, `npm test` and `npm run test:all` run, in this order. The unit tests go in a lane beside the other
 * checks. What starts processes and browsers runs alone: beside each other they take as long as one after the other, and
 * miss their limits. Integration tests wait for half of their time (kills, leases, limits), so that more of them than
 * processors work at once.
 * @type {Step[]}
 */
export const STEPS = [
  {
    name: 'format',
    tier: 'check',
    lane: 'site',
    what: 'format and lint (biome)',
    run: () =>
      runNodeTool([
        `${BIN}/@biomejs/biome/bin/biome`,
        'check',
        '--error-on-warnings',
        '--max-diagnostics=50',
      ]),
  },
  {
    name: 'direction',
    tier: 'check',
    lane: 'site',
    what: 'import rules (dependency-cruiser)',
    run: () => runNodeTool(['lib/setup/cruise.mjs']),
  },
  {
    name: 'deadcode',
    tier: 'check',
    lane: 'site',
    what: 'unused code (knip)',
    run: () => runNodeTool([`${BIN}/knip/bin/knip.js`, '--no-progress', ...KNIP_CACHE]),
  },
  { name: 'types', tier: 'check', lane: 'site', what: 'types (tsc, strict)', run: checkTypes },
  {
    name: 'unit',
    tier: 'check',
    lane: 'tests',
    what: 'unit tests',
    run: () => runVitest('unit', {}, { workers: PROCESSORS }),
  },
  {
    name: 'integration',
    tier: 'test',
    programs: true,
    what: 'integration tests',
    run: () => runVitest('integration', {}, { tryAgain: true, workers: PROCESSORS + 3 }),
  },
  {
    name: 'postgresql',
    tier: 'all',
    what: 'stores on PostgreSQL',
    run: () => onPostgres(['lib/db/']),
  },
  {
    name: 'postgresql-all',
    tier: 'all',
    what: 'worker and server on PostgreSQL',
    run: () => onPostgres(['lib/worker/', 'lib/server/']),
  },
  {
    name: 'long',
    tier: 'all',
    programs: true,
    what: 'integration tests that take minutes',
    run: () => runVitest('long', EVERY_LIBRARY, { tryAgain: true }),
  },
  {
    name: 'libraries',
    tier: 'all',
    programs: true,
    what: 'every browser library on the action surface',
    run: () =>
      runVitest('integration', EVERY_LIBRARY, { tryAgain: true, only: ['runner/libraries/'] }),
  },
  {
    name: 'draws',
    tier: 'all',
    what: 'everything that is simulated, with all its draws',
    run: () =>
      runVitest('unit', EVERY_DRAW, {
        only: ['lib/domain/', 'lib/testing/bench/', 'lib/server/ingest/', 'runner/transcript/'],
      }),
  },
  {
    name: 'agents',
    tier: 'all',
    programs: true,
    what: 'real pi and codex against the scripted model',
    run: () => runVitest('agents', REAL_AGENTS, { maySkipAll: true }),
  },
  {
    name: 'suite',
    tier: 'all',
    programs: true,
    what: 'self-test of every exercise',
    run: () => runSelfTest('typescript'),
  },
  {
    name: 'workflows',
    tier: 'all',
    programs: true,
    what: 'self-test of every browser workflow',
    run: proveWorkflows,
  },
  { name: 'build', tier: 'test', what: 'production build', run: build },
  {
    name: 'kill',
    tier: 'all',
    programs: true,
    what: 'kill -9 of web, worker, runner and agent, a hundred times',
    run: kill,
  },
  {
    name: 'browser',
    tier: 'test',
    programs: true,
    what: 'real Chromium on the production build',
    run: () => browse('e2e'),
  },
  {
    name: 'browser-long',
    tier: 'all',
    programs: true,
    what: 'browser tests that take minutes',
    run: () => browse('e2e-long'),
  },
  {
    name: 'views',
    tier: 'all',
    programs: true,
    what: 'every page in every window, light and dark',
    run: () => browse('e2e', { PROOFBOARD_TEST_VIEWS: 'all' }, ['--testNamePattern', VIEWED]),
  },
  {
    name: 'unprepared',
    tier: 'all',
    what: 'npm test on machines that nobody prepared, an hour',
    run: testUnprepared,
  },
]

/** What tests that look at a page in a window are called. */
const VIEWED = 'clean to axe|is accessible'

/** Route types first: a fresh clone has no next-env.d.ts. */
async function checkTypes() {
  const generated = await runNodeTool([`${BIN}/next/dist/bin/next`, 'typegen'], {
    NEXT_TELEMETRY_DISABLED: '1',
  })
  if (!generated.ok) return generated
  // Each checker reads the libraries for itself, and the tests want processors too.
  const checkers = String(Math.ceil(PROCESSORS / 2))
  const options = ['--noEmit', '--pretty', 'false', '--checkers', checkers]
  return runNodeTool([`${BIN}/typescript/bin/tsc`, ...options])
}

async function build() {
  const did = await ensureBuilt()
  return { ok: true, tally: NOTHING, note: did ? '' : 'up to date', output: '' }
}

async function proveWorkflows() {
  const chromium = findBrowser()
  if (chromium === null) return skipStep('chromium (apt-get install chromium)')
  return runSelfTest('browser', {
    env: { PROOFBOARD_CHROMIUM: chromium },
    args: ['--wrong', '1'],
    leftOut:
      'SKIPPED all wrong drivers except the first of each task: npx proofboard suite verify browser',
  })
}

async function kill() {
  await ensureBuilt()
  const tried = await runNodeTool([
    'lib/testing/chaos/kill/test-kill.mjs',
    '--times',
    '100',
    '--within',
    '90',
  ])
  const said = tried.output.match(/lost \d+, duplicated \d+|^SKIPPED, .*/gm) ?? []
  return tried.ok ? { ...tried, tally: { ...NOTHING, passed: 1 }, note: said.join('; ') } : tried
}

/**
 * Installs the programs that steps need, where that is allowed: Docker only for those of `npm run test:all`. Tests that
 * need a missing one are skipped.
 * @param {readonly Step[]} steps
 * @returns {Promise<string[]>} for each that is missing, one sentence that says how to install it
 */
export async function ensurePrograms(steps) {
  const users = steps.filter(({ programs }) => programs)
  if (users.length === 0) return []
  const isNight = users.some(({ tier }) => tier === 'all')
  /** @type {string[]} */
  const missing = []
  for (const ensure of [ensureBubblewrap, ensureBrowser, ...(isNight ? [ensureDocker] : [])])
    await ensure().catch((error) => {
      if (!(error instanceof SetupFailure)) throw error
      missing.push(error.message)
    })
  return missing
}

/**
 * Integration tests whose databases are those of a PostgreSQL server: of the distribution, or none.
 * @param {string[]} only @returns {Promise<StepResult>}
 */
async function onPostgres(only) {
  const need = 'postgresql (apt-get install postgresql)'
  const installed = await ensureProgram({ find: findPrograms, package: 'postgresql', advice: need })
    .then(() => true)
    .catch(() => false)
  if (!installed) return skipStep(need)
  const server = await startPostgres()
  if ('skipped' in server) return skipStep(`PostgreSQL: ${server.skipped}`)
  const env = { PROOFBOARD_TEST_DATABASE: 'postgresql', PROOFBOARD_TEST_POSTGRES: server.url }
  return runVitest('integration', env, { tryAgain: true, workers: PROCESSORS, only }).finally(
    server.stop,
  )
}

/** @param {string} project @param {Record<string, string>} [env] @param {string[]} [only] */
async function browse(project, env = {}, only = []) {
  const chromium = findBrowser()
  const browsers =
    chromium === null
      ? {}
      : {
          PROOFBOARD_CHROMIUM: chromium,
          PROOFBOARD_TEST_CHROMIUM: await ensureShell(chromium),
        }
  await ensureBuilt()
  const how = { maySkipAll: true, tryAgain: true, workers: PROCESSORS + 1, only }
  return runVitest(project, { ...browsers, ...env }, how)
}

/** @typedef {import('./run-step.mjs').Tally} Tally */
/** @typedef {{ ok: boolean, tally: Tally, note: string, output: string, failures?: string, times?: string, flaky?: string[] }} StepResult */

/**
 * A step that is one command of node: green when it exits 0.
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<StepResult>}
 */
export async function runNodeTool(args, env = {}) {
  const { code, output } = await runCommand(process.execPath, args, { env })
  // A check that is red counts as one failure: the closing line must not look green.
  const tally = code === 0 ? NOTHING : { ...NOTHING, failed: 1 }
  return { ok: code === 0, tally, note: '', output }
}
