#!/usr/bin/env node
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleEntry } from '../../lib/setup/bundle.mjs'
// The command `proofboard`: makes sure the packages are there, bundles the TypeScript when it changed, runs it.
import { ensureInstalled } from '../../lib/setup/ensure-installed.mjs'

await ensureInstalled()
const bundle = await bundleEntry(fileURLToPath(new URL('./main.ts', import.meta.url)))
const { main } = await import(pathToFileURL(bundle).href)
await main(process.argv)
