// `npm run test:hostile`: sends every hostile body over HTTP to the route that takes results, and prints the results.
// `-- zip` sends those whose name contains a word; `-- --site http://localhost:3000` uses a running server, with
// PROOFBOARD_TOKEN and PROOFBOARD_DATA_DIR set as on the server.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../../setup/bundle.mjs'
import { readArguments } from '../../../setup/read-arguments.mjs'

const { values, positionals } = readArguments(
  'npm run test:hostile [-- word] [--site http://localhost:3000]',
  { site: { type: 'string' } },
  { words: true },
)

const entry = 'lib/testing/corpora/hostile/main.ts'
const { main } = await import(pathToFileURL(await bundleEntry(entry)).href)
await main(positionals, values.site)
