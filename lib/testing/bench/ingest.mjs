// Measures the commit of 1,000 episodes and of a body of almost 100 MB: `npm run bench:ingest`.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'
import { readArguments } from '../../setup/read-arguments.mjs'

readArguments('npm run bench:ingest', {})

const { main } = await import(pathToFileURL(await bundleEntry('lib/testing/bench/ingest.ts')).href)
await main()
