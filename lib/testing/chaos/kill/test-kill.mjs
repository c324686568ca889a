// Bundles and runs the kill test: `npm run test:kill -- [--times 100] [--seed 7] [--only web,worker,runner,agent]`.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../../setup/bundle.mjs'

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/chaos/kill/main.ts')).href
)
await main(process.argv.slice(2)).catch((/** @type {Error} */ error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 2
})
