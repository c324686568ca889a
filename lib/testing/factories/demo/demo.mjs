// Bundles and runs the demo's TypeScript: `npm run demo`.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../../setup/bundle.mjs'
import { readArguments } from '../../../setup/read-arguments.mjs'

readArguments('npm run demo (fills PROOFBOARD_DATA_DIR, or the data folder of this copy)', {})

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/factories/demo/seed-demo.ts')).href
)
await main()
