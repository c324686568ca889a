// `npm run test:claims`: plays every dishonest or selective submission over HTTP against a complete server, and prints
// the results. `-- forked` plays those whose name contains a word. Needs bubblewrap and Chromium; ten to thirty
// minutes.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../../setup/bundle.mjs'
import { readArguments } from '../../../setup/read-arguments.mjs'

const { positionals } = readArguments('npm run test:claims [-- word,word]', {}, { words: true })

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/chaos/claims/main.ts')).href
)
await main(positionals)
