// Bundles and runs the soak test: `npm run soak -- [--minutes 10] [--seed 7]`.
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from '../../../setup/build.mjs'
import { bundleEntry } from '../../../setup/bundle.mjs'
import { readArguments } from '../../../setup/read-arguments.mjs'

const { values } = readArguments('npm run soak -- [--minutes 10] [--seed 7]', {
  minutes: { type: 'string', default: '10' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
})
await ensureBuilt()
const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/chaos/soak/main.ts')).href
)
await main(values).catch((/** @type {Error} */ error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 2
})
