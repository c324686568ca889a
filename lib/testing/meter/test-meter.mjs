// Lets a local server answer as each provider does, through the real gateway, and prints what was metered beside what
// is true: `npm run test:meter`; only those whose name has a word in it: `-- cache`. Ends with 1 when one is wrong.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'
import { readArguments } from '../../setup/read-arguments.mjs'

const { positionals } = readArguments('npm run test:meter [-- word …]', {}, { words: true })

const { main } = await import(pathToFileURL(await bundleEntry('lib/testing/meter/main.ts')).href)
await main(positionals)
