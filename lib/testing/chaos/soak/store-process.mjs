// Bundles and runs the evidence store of the soak; see store-process.ts.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../../setup/bundle.mjs'

const file = await bundleEntry('lib/testing/chaos/soak/store-process.ts')
const { main } = await import(pathToFileURL(file).href)
await main(process.argv.slice(2))
