// Sends every hostile body over HTTP to the route that takes results, and prints the result of each: `npm run
// test:hostile`; only those whose name has a word in it: `-- zip`; to a server that runs already: `-- --site
// http://localhost:3000`, with PROOFBOARD_TOKEN and PROOFBOARD_DATA_DIR set to those of the server.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../../setup/bundle.mjs'

const entry = 'lib/testing/corpora/hostile/main.ts'
const { main } = await import(pathToFileURL(await bundleEntry(entry)).href)
await main(process.argv.slice(2))
