// Bundles and runs the simulation of intervals: `npm run simulate`.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'
import { readArguments } from '../../setup/read-arguments.mjs'

readArguments('npm run simulate', {})

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/bench/simulate.ts')).href
)
main()
