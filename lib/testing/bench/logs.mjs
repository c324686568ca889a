// `npm run bench -- --only logs`: how fast logs are told live, and how a log of a gigabyte opens. Figures, never a test.
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureGenerated } from '../../setup/build.mjs'
import { bundleEntry } from '../../setup/bundle.mjs'

await ensureGenerated({})
await ensureBuilt({})
const { main } = await import(pathToFileURL(await bundleEntry('lib/testing/bench/logs.ts')).href)
await main()
