// `npm run bench -- --only board`: how long a large board takes the worker. Measurements, not a test.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'

const { main } = await import(pathToFileURL(await bundleEntry('lib/testing/bench/board.ts')).href)
main()
