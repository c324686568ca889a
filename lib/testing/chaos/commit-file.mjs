// Commits one file in a process of its own, for being killed: node commit-file.mjs <database> <file>
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'

const entry = 'lib/testing/chaos/commit-file.ts'
const { main } = await import(pathToFileURL(await bundleEntry(entry)).href)
await main(process.argv)
