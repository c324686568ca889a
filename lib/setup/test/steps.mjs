// @ts-check
import { ensureBrowser } from '../browser/ensure-browser.mjs'
import { ensureBuilt } from '../build/ensure-built.mjs'
import { runSelfTest } from './run-self-test.mjs'
import { runTool } from './run-tool.mjs'
import { runVitest } from './run-vitest.mjs'
import { NOTHING } from './tally.mjs'

/** @typedef {import('./run-tool.mjs').StepResult} StepResult */
/** @typedef {{ name: string, what: string, run: () => Promise<StepResult> }} Step */

const BIN = 'node_modules'

/** Everything `npm test` proves, cheap first. @type {Step[]} */
export const STEPS = [
  {
    name: 'format',
    what: 'format and lint (biome)',
    run: () =>
      runTool([
        `${BIN}/@biomejs/biome/bin/biome`,
        'check',
        '--error-on-warnings',
        '--max-diagnostics=50',
      ]),
  },
  {
    name: 'direction',
    what: 'import rules (dependency-cruiser)',
    run: () => runTool(['lib/setup/cruise.mjs']),
  },
  {
    name: 'deadcode',
    what: 'unused code (knip)',
    run: () => runTool([`${BIN}/knip/bin/knip.js`, '--no-progress']),
  },
  { name: 'types', what: 'types (tsc, strict)', run: checkTypes },
  { name: 'unit', what: 'unit tests', run: () => runVitest('unit') },
  {
    name: 'integration',
    what: 'integration tests',
    run: () => runVitest('integration', {}, { tryAgain: true }),
  },
  {
    name: 'agents',
    what: 'real pi and codex against the scripted model',
    run: () => runVitest('agents', { PROOFBOARD_TEST_AGENTS: 'pi,codex' }, { maySkipAll: true }),
  },
  { name: 'suite', what: 'self-test of every exercise', run: () => runSelfTest('typescript') },
  { name: 'workflows', what: 'self-test of every browser workflow', run: proveWorkflows },
  { name: 'build', what: 'production build', run: build },
  {
    name: 'kill',
    what: 'kill -9 web, worker, runner and agent, a hundred times',
    run: kill,
  },
  { name: 'browser', what: 'real Chromium on the production build', run: browse },
]

/** Route types first: a fresh clone has no next-env.d.ts. */
async function checkTypes() {
  const generated = await runTool([`${BIN}/next/dist/bin/next`, 'typegen'], {
    NEXT_TELEMETRY_DISABLED: '1',
  })
  return generated.ok
    ? runTool([`${BIN}/typescript/bin/tsc`, '--noEmit', '--pretty', 'false'])
    : generated
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
  const tried = await runTool([
    'lib/testing/kill/test-kill.mjs',
    '--times',
    '100',
    '--within',
    '90',
  ])
  const [sum = ''] = /lost \d+, duplicated \d+/.exec(tried.output) ?? []
  return tried.ok ? { ...tried, tally: { ...NOTHING, passed: 1 }, note: sum } : tried
}

async function browse() {
  const chromium = await ensureBrowser()
  await ensureBuilt()
  return runVitest('e2e', { PROOFBOARD_CHROMIUM: chromium }, { tryAgain: true })
}
