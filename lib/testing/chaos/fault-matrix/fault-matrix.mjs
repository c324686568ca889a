// Bundles and runs the fault matrix: `npm run fault-matrix [-- --agents pi,codex --faults rate-limit@2 --isolation local]`
// of agents, `npm run fault-matrix -- --suite browser [--libraries playwright,cdp --faults stall --tasks a,b]` of libraries.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../../setup/bundle.mjs'

const kind = process.argv.includes('--suite') ? 'browser' : 'agents'
const { main } = await import(
  pathToFileURL(await bundleEntry(`lib/testing/chaos/fault-matrix/${kind}.ts`)).href
)
await main(process.argv.slice(2)).catch((/** @type {Error} */ error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
})
