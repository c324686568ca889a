// The worker process: `node lib/worker/worker.mjs`. Bundles the TypeScript when it changed, then runs it.
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleEntry } from '../setup/bundle.mjs'
import { takeKeys } from '../setup/take-keys.mjs'

takeKeys()
process.chdir(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const bundle = await bundleEntry('lib/worker/worker.ts')
const { main } = await import(pathToFileURL(bundle).href)
await main()
