// Bundles and runs what measures the pages with Lighthouse: `npm run lighthouse`.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'

// Playwright takes the signal for its browser alone; leaving ends the copy as well.
process.once('SIGTERM', () => process.exit(143))

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/lighthouse/run-lighthouse.ts')).href
)
process.exitCode = await main(process.argv.slice(2))
