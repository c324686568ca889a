// `npm run size`: JavaScript of the first load of each class of pages, in a production build.
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureGenerated } from '../../setup/build.mjs'
import { bundleEntry } from '../../setup/bundle.mjs'
import { readArguments } from '../../setup/read-arguments.mjs'

const { values } = readArguments('npm run size [-- --scripts]', { scripts: { type: 'boolean' } })

await ensureGenerated({})
await ensureBuilt({})
const { main } = await import(pathToFileURL(await bundleEntry('lib/testing/bench/size.ts')).href)
process.exitCode = await main(values.scripts ?? false)
