// Commits one file in a separate process that can be killed: node commit-file.mjs <database> <file>
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'

const entry = 'lib/testing/chaos/commit-file.ts'
const { main } = await import(pathToFileURL(await bundleEntry(entry)).href)
await main(process.argv)
