// `npm run bench`: prints figures and ratios; not a test.
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleEntry } from '../../lib/setup/bundle.mjs'
import { ensureInstalled } from '../../lib/setup/ensure-installed.mjs'

await ensureInstalled()
const bundle = await bundleEntry(fileURLToPath(new URL('../bench/main.ts', import.meta.url)))
const { main } = await import(pathToFileURL(bundle).href)
await main(process.argv)
