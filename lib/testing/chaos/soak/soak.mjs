// Bundles and runs the soak test: `npm run soak -- [--minutes 10] [--seed 7]`.
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from '../../../setup/build.mjs'
import { bundleEntry } from '../../../setup/bundle.mjs'

await ensureBuilt()
const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/chaos/soak/main.ts')).href
)
await main(process.argv.slice(2)).catch((/** @type {Error} */ error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 2
})
