// Plays every dishonest or selective submission over HTTP against a whole server, and prints what became of each:
// `npm run test:claims`; of those alone whose name has a word in it: `-- forked`. Needs bubblewrap; ten to thirty minutes.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../../setup/bundle.mjs'

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/chaos/claims/main.ts')).href
)
await main(process.argv.slice(2))
