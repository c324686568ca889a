// `npm run bench -- --only nginx`: cost of pages behind deploy/nginx.conf. Measurements, not a test.
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureGenerated } from '../../setup/build.mjs'
import { bundleEntry } from '../../setup/bundle.mjs'

await ensureGenerated()
await ensureBuilt()
const { main } = await import(pathToFileURL(await bundleEntry('lib/testing/bench/nginx.ts')).href)
await main()
