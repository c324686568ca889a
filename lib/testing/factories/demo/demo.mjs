// @ts-check
// `npm run demo`: a board of made-up data, in a separate data folder.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureGenerated } from '../../../setup/build.mjs'
import { bundleEntry } from '../../../setup/bundle.mjs'
import { ensureInstalled } from '../../../setup/ensure-installed.mjs'
import { ROOT } from '../../../setup/layout.mjs'
import { reportFailure, timeStep } from '../../../setup/progress.mjs'
import { refuseArguments } from '../../../setup/serve/refuse-arguments.mjs'
import { runServers } from '../../../setup/serve/run-servers.mjs'

const FOLDER = join(ROOT, '.proofboard-demo')

process.exit(refuseArguments('npm run demo', process.argv.slice(2)) ?? (await main()))

async function main() {
  try {
    if (!existsSync(FOLDER)) await fill()
  } catch (error) {
    return reportFailure(error)
  }
  // Keeps demo data out of the database and the bucket of another board.
  for (const name of ['DATABASE_URL', 'PROOFBOARD_EVIDENCE_URL', 'PROOFBOARD_SECRETS_DIR'])
    delete process.env[name]
  process.env.PROOFBOARD_DATA_DIR = FOLDER
  process.env.PROOFBOARD_FIRST_RUNS = '0'
  return runServers('start')
}

/** Fills the folder, and renames it when it is complete. */
async function fill() {
  const draft = `${FOLDER}.draft`
  rmSync(draft, { recursive: true, force: true })
  await ensureInstalled()
  await ensureGenerated()
  await timeStep(
    'made-up data',
    async () => {
      const program = await bundleEntry('lib/testing/factories/demo/seed-demo.ts')
      const { fillFolder } = await import(pathToFileURL(program).href)
      await fillFolder(draft)
      return true
    },
    (line) => process.stdout.write(`${line}\n`),
  )
  renameSync(draft, FOLDER)
}
