// @ts-check
// `npm run check`, `npm test`, `npm run test:all`: installs missing programs, then runs groups of vitest projects in
// sequence: `checks,unit integration` are two groups. `-- --only unit,long` runs these projects instead.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureGenerated } from '../../setup/build.mjs'
import { ensureBrowser } from '../../setup/ensure-browser.mjs'
import { ensureInstalled } from '../../setup/ensure-installed.mjs'
import {
  ensureBubblewrap,
  ensureDocker,
  ensureNginx,
  ensureProgram,
} from '../../setup/ensure-program.mjs'
import { endCommandsOnSignal, runCommand } from '../../setup/process.mjs'
import { checkNode, reportFailure, SetupFailure, timeStep } from '../../setup/progress.mjs'
import { readArguments } from '../../setup/read-arguments.mjs'
import { NO_TESTS, skipAll, summarise } from './closing-line.mjs'
import { findPrograms } from './postgres-programs.mjs'
import { testUnprepared } from './unprepared.mjs'
import { withTemporary } from './with-temporary.mjs'

/** @typedef {import('./closing-line.mjs').Tally} Tally */

const POSTGRES = 'postgresql (apt-get install postgresql)'
/** Projects that need no program of the system. */
const PURE = ['checks', 'unit', 'postgresql', 'unprepared']

process.exitCode = await main()

/** @returns {Promise<number>} */
async function main() {
  const { values, positionals } = readArguments(
    'npm test [-- --only unit,integration]',
    { only: { type: 'string' } },
    { words: true },
  )
  const groups = values.only ? values.only.split(',') : positionals
  endCommandsOnSignal()
  try {
    const problem = checkNode(process.versions.node)
    if (problem !== null) throw new SetupFailure(problem)
    await timeStep('packages', () => ensureInstalled({ packages: 'all' }), console.log)
    await timeStep('database client', () => ensureGenerated(), console.log)
  } catch (error) {
    return reportFailure(error)
  }
  await ensurePrograms(groups.flatMap((group) => group.split(',')))
  const tallies = []
  for (const group of groups) tallies.push(await runGroup(group))
  const { lines, isRed } = summarise(tallies)
  for (const line of lines) console.log(line)
  return isRed ? 1 : 0
}

/**
 * Installs the programs that projects need, where that is allowed. Tests that need a missing one are skipped.
 * @param {readonly string[]} projects
 */
async function ensurePrograms(projects) {
  const isNight = process.env.PROOFBOARD_TEST_NIGHT === 'all'
  const isPure = projects.every((name) => PURE.includes(name))
  const needed = [
    ...(isPure ? [] : [ensureBubblewrap, ensureBrowser]),
    ...(isNight && !isPure ? [ensureDocker, ensureNginx] : []),
    ...(projects.includes('postgresql') ? [ensurePostgres] : []),
  ]
  for (const ensure of needed)
    await ensure().catch((error) => {
      if (!(error instanceof SetupFailure)) throw error
      console.log(error.message)
    })
}

function ensurePostgres() {
  const advice = `No PostgreSQL was found: install ${POSTGRES}.`
  return ensureProgram({ find: findPrograms, package: 'postgresql', advice })
}

/** @param {string} group names of projects, with commas @returns {Promise<Tally>} */
async function runGroup(group) {
  console.log(`\n${group}`)
  if (group === 'unprepared') return testUnprepared()
  if (group === 'postgresql' && findPrograms() === null) return skipAll(POSTGRES)
  return withTemporary(async (folder) => {
    const projects = group.split(',').flatMap((name) => ['--project', name])
    const { code } = await runCommand(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...projects],
      { env: { NO_COLOR: '1', TMPDIR: folder, PROOFBOARD_TEST_FOLDER: folder }, isShown: true },
    )
    const file = join(folder, 'tally.json')
    /** @type {Tally} */
    const tally = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : NO_TESTS
    const isSilent = code !== 0 && tally.failed.length === 0
    return isSilent ? { ...tally, failed: [`${group}: vitest ended with ${code}`] } : tally
  })
}
