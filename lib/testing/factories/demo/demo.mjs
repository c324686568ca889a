// Bundles and runs the demo's TypeScript: `npm run demo`.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../../setup/bundle.mjs'

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/factories/demo/seed-demo.ts')).href
)
await main()
