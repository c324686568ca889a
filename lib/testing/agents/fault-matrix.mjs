// Bundles and runs the fault matrix: `npm run fault-matrix [-- --agents pi,codex --faults rate-limit@2 --isolation local]`.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/agents/fault-matrix/main.ts')).href
)
await main(process.argv.slice(2)).catch((/** @type {Error} */ error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
})
