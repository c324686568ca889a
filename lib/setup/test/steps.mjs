// @ts-check

import { availableParallelism } from 'node:os'
import { ensureBuilt } from '../build.mjs'
import { ensureBrowser, ensureShell } from '../ensure-browser.mjs'
import { runCommand } from '../process.mjs'
import { SetupFailure } from '../progress.mjs'
import { startPostgres } from './postgres-server.mjs'
import { NOTHING } from './run-step.mjs'
import { runVitest } from './run-vitest.mjs'

/** @typedef {import('./run-step.mjs').Tier} Tier */
/** @typedef {{ name: string, tier: Tier, lane?: string, what: string, run: () => Promise<StepResult> }} Step */

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
    what: 'integration tests',
    run: () => withBrowser('integration', {}, { tryAgain: true, workers: PROCESSORS + 3 }),
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
    what: 'integration tests that take minutes',
    run: () => withBrowser('long', EVERY_LIBRARY, { tryAgain: true }),
  },
  {
    name: 'libraries',
    tier: 'all',
    what: 'every browser library on the action surface',
    run: () =>
      withBrowser('integration', EVERY_LIBRARY, { tryAgain: true, only: ['runner/libraries/'] }),
  },
  {
    name: 'draws',
    tier: 'all',
    what: 'everything that is simulated, with all its draws',
    run: () =>
      runVitest('unit', EVERY_DRAW, {
        only: ['lib/domain/', 'lib/server/ingest/', 'runner/transcript/'],
      }),
  },
  {
    name: 'agents',
    tier: 'all',
    what: 'real pi and codex against the scripted model',
    run: () => runVitest('agents', REAL_AGENTS, { maySkipAll: true }),
  },
  {
    name: 'suite',
    tier: 'all',
    what: 'self-test of every exercise',
    run: () => runSelfTest('typescript'),
  },
  {
    name: 'workflows',
    tier: 'all',
    what: 'self-test of every browser workflow',
    run: proveWorkflows,
  },
  { name: 'build', tier: 'test', what: 'production build', run: build },
  {
    name: 'kill',
    tier: 'all',
    what: 'kill -9 of web, worker, runner and agent, a hundred times',
    run: kill,
  },
  {
    name: 'browser',
    tier: 'test',
    what: 'real Chromium on the production build',
    run: () => browse('e2e'),
  },
  {
    name: 'browser-long',
    tier: 'all',
    what: 'browser tests that take minutes',
    run: () => browse('e2e-long'),
  },
  {
    name: 'views',
    tier: 'all',
    what: 'every page in every window, light and dark',
    run: () => browse('e2e', { PROOFBOARD_TEST_VIEWS: 'all' }, ['--testNamePattern', VIEWED]),
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
  return runSelfTest('browser', {
    env: { PROOFBOARD_CHROMIUM: await ensureBrowser() },
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
  const [sum = ''] = /lost \d+, duplicated \d+/.exec(tried.output) ?? []
  return tried.ok ? { ...tried, tally: { ...NOTHING, passed: 1 }, note: sum } : tried
}

/**
 * Tests some of which need a browser: those say that they are skipped where none can be had.
 * @param {Parameters<typeof runVitest>} order
 */
async function withBrowser(...order) {
  await ensureBrowser().catch((error) => {
    if (!(error instanceof SetupFailure)) throw error
  })
  return runVitest(...order)
}

/**
 * Integration tests whose databases are those of a PostgreSQL server: of the distribution, or none.
 * @param {string[]} only @returns {Promise<StepResult>}
 */
async function onPostgres(only) {
  const server = await startPostgres()
  if ('skipped' in server) {
    const note = `SKIPPED: ${server.skipped}`
    return { ok: true, tally: { ...NOTHING, skipped: 1 }, note, output: '' }
  }
  const env = { PROOFBOARD_TEST_DATABASE: 'postgresql', PROOFBOARD_TEST_POSTGRES: server.url }
  return runVitest('integration', env, { tryAgain: true, workers: PROCESSORS, only }).finally(
    server.stop,
  )
}

/** @param {string} project @param {Record<string, string>} [env] @param {string[]} [only] */
async function browse(project, env = {}, only = []) {
  const chromium = await ensureBrowser()
  const shell = await ensureShell(chromium)
  await ensureBuilt()
  return runVitest(
    project,
    { PROOFBOARD_CHROMIUM: chromium, PROOFBOARD_TEST_CHROMIUM: shell, ...env },
    { tryAgain: true, workers: PROCESSORS + 1, only },
  )
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

/**
 * Proves every task of a suite: its reference is solved; doing nothing, cheats and each wrong solution are not.
 * @param {string} suite
 * @param {{ env?: Record<string, string>, args?: string[], leftOut?: string }} [how] `leftOut` says what `args` leave out
 * @returns {Promise<StepResult>}
 */
export async function runSelfTest(suite, { env = {}, args = [], leftOut = '' } = {}) {
  const command = ['runner/cli/proofboard.mjs', 'suite', 'verify', suite, '--json', ...args]
  const { code, output } = await runCommand(process.execPath, command, { env })
  const proof = lastJson(output)
  const { tally, complaints } = checkSelfTest(proof)
  const ok = code === 0 && tally.failed === 0
  const proven = `${tally.passed} of ${tally.passed + tally.failed} tasks verified`
  const note = leftOut ? `${proven}; ${leftOut}` : proven
  return {
    ok,
    tally: ok || tally.failed > 0 ? tally : { ...tally, failed: 1 },
    note,
    output: [output, ...complaints].join('\n'),
  }
}

/** The last line of the output that is a JSON object. @param {string} output @returns {Record<string, unknown>} */
function lastJson(output) {
  for (const line of output.split('\n').reverse()) {
    if (!line.startsWith('{')) continue
    try {
      return JSON.parse(line)
    } catch {
      // A line that only looks like JSON: look further up.
    }
  }
  return {}
}

/**
 * Compares the counts of `suite verify --json` with those of a sound suite. A deviation without a task counts
 * as one failure, so that a suite cannot pass on an empty answer.
 * @param {Record<string, unknown>} proof
 * @returns {{ tally: Tally, complaints: string[] }}
 */
export function checkSelfTest(proof) {
  const tasks = count(proof.tasks)
  const complaints = []
  if (tasks === 0) complaints.push('the suite has no tasks')
  if (proof.referenceSolved !== tasks)
    complaints.push(`references solved: ${proof.referenceSolved} of ${tasks}`)
  for (const name of ['nopSolved', 'firstTestOnlySolved', 'wrongSolved']) {
    if (proof[name] !== 0) complaints.push(`${name} is ${proof[name]}, not 0`)
  }
  const deviating = new Set(deviationsOf(proof).map(({ taskId }) => taskId)).size
  const failed = complaints.length === 0 ? deviating : Math.max(1, deviating)
  return { tally: { passed: Math.max(0, tasks - failed), failed, skipped: 0 }, complaints }
}

/** @param {unknown} value */
function count(value) {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0
}

/** @param {Record<string, unknown>} proof @returns {{ taskId: string }[]} */
function deviationsOf({ deviations }) {
  return Array.isArray(deviations) ? deviations : []
}
