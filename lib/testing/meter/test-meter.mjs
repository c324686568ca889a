// `npm run test:meter`: lets a local server respond as each provider does, through the real gateway, and prints metered
// and true usage side by side. `-- cache` plays cases whose name contains a word. Exits with 1 if one is wrong.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'
import { readArguments } from '../../setup/read-arguments.mjs'

const { positionals } = readArguments('npm run test:meter [-- word …]', {}, { words: true })

const { main } = await import(pathToFileURL(await bundleEntry('lib/testing/meter/main.ts')).href)
await main(positionals)
