// `npm run bench -- --only scale`: boards, pages and imports at 10,000 to a million episodes. Measurements, not a test.
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureBuilt, ensureGenerated } from '../../setup/build.mjs'
import { bundleEntry } from '../../setup/bundle.mjs'
import { endCommandsOnSignal } from '../../setup/process.mjs'

endCommandsOnSignal()
await ensureGenerated({})
const args = process.argv.slice(2)
const { refresh, parts = 'pages' } = parseArgs({
  args,
  strict: false,
  options: { refresh: { type: 'string' }, parts: { type: 'string' } },
}).values
// Building the site takes longer than most measurements.
if (refresh === undefined && String(parts).includes('pages')) await ensureBuilt({})
const { main } = await import(pathToFileURL(await bundleEntry('lib/testing/bench/scale.ts')).href)
await main(args, fileURLToPath(import.meta.url))
