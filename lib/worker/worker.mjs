// The worker process: `node lib/worker/worker.mjs`. Bundles the TypeScript when it changed, then runs it.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadProgram } from '../setup/load-program.mjs'
import { takeKeys } from '../setup/take-keys.mjs'

takeKeys()
process.chdir(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const { main } = await loadProgram('lib/worker/worker.ts')
await main()
