// `npm run bench -- --only logs`: delay of live logs, and opening a log of a gigabyte. Measurements, not a test.
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureGenerated } from '../../setup/build.mjs'
import { bundleEntry } from '../../setup/bundle.mjs'

await ensureGenerated({})
await ensureBuilt({})
const { main } = await import(pathToFileURL(await bundleEntry('lib/testing/bench/logs.ts')).href)
await main()
