// `npm run bench -- --only scale`: boards, pages and imports at 10,000 to a million episodes. Figures, never a test.
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt, ensureGenerated } from '../../setup/build.mjs'
import { bundleEntry } from '../../setup/bundle.mjs'

await ensureGenerated({})
await ensureBuilt({})
const { main } = await import(pathToFileURL(await bundleEntry('lib/testing/bench/scale.ts')).href)
await main(process.argv.slice(2), fileURLToPath(import.meta.url))
