// @ts-check
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSite, ensureGenerated } from '../build.mjs'
import { ROOT } from '../layout.mjs'
import { holdLock, lastLines, SET_UP_LOCK } from '../process.mjs'
import { SetupFailure } from '../progress.mjs'
import { INSTALLED } from './contents.mjs'
import { copy, stagePackage } from './make-package.mjs'

/** The worker and the server's commands, started as in the clone by the launchers beside their sources. */
const PROGRAMS = ['lib/worker/worker.ts', 'lib/server/console/main.ts']
const SQLITE = '@photostructure/sqlite'
/** Files that start the server, and the database's migrations. */
const SERVER_FILE =
  /^lib\/setup\/(serve\/)?[^/]+\.mjs$|^lib\/(worker\/worker|server\/console\/console)\.mjs$|^prisma\/\w+\/migrations\/|^public\/|^lib\/domain\/.+\.md$/

/**
 * Writes the whole server into an empty folder: Next's standalone output, the worker, the console, the runner's package
 * and the packages that they need. `node lib/setup/start.mjs` starts it there. Throws a SetupFailure.
 * @param {string} folder
 */
export async function makeServer(folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new SetupFailure(`${folder} is not empty`)
  mkdirSync(folder, { recursive: true })
  await ensureGenerated()
  const state = await holdLock(SET_UP_LOCK, async () => {
    await buildStandalone()
    return stageServer(folder).finally(() => rmSync(STANDALONE, { recursive: true, force: true }))
  })
  const packages = new Set()
  for (const name of [...INSTALLED, SQLITE]) copyPackage(name, folder, packages)
  return state
}

const STANDALONE = join(ROOT, '.next', 'standalone')

/** @param {string} folder */
function stageServer(folder) {
  return stagePackage(folder, {
    programs: PROGRAMS,
    external: [SQLITE],
    addTo: (sources) => {
      // Next also copies files of the clone that its server might read.
      for (const name of ['server.js', '.next', 'node_modules']) take(name, folder)
      copy('.next/static', '.next/static', folder)
      for (const path of sources.filter((one) => SERVER_FILE.test(one))) copy(path, path, folder)
    },
  })
}

/** @param {string} name @param {string} folder */
function take(name, folder) {
  cpSync(join(STANDALONE, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
}

async function buildStandalone() {
  const { code, output } = await buildSite({
    env: { NEXT_STANDALONE: '1', NEXT_FIRST_BUILD: '1' },
  })
  if (code !== 0)
    throw new SetupFailure(`production build failed (exit ${code}).`, lastLines(output, 40))
}

/**
 * Copies an installed package and its dependencies.
 * @param {string} name
 * @param {string} folder
 * @param {Set<string>} done
 */
function copyPackage(name, folder, done) {
  const path = join('node_modules', name)
  if (done.has(name) || !existsSync(join(ROOT, path))) return
  done.add(name)
  copy(path, path, folder)
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(ROOT, path, 'package.json'), 'utf8'),
  )
  const needed = Object.keys({ ...dependencies, ...optionalDependencies })
  for (const one of needed)
    if (!existsSync(join(ROOT, path, 'node_modules', one))) copyPackage(one, folder, done)
}
