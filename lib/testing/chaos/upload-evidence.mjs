// Uploads pending evidence in a separate process that can be killed: node upload-evidence.mjs <database>
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'

const entry = 'lib/testing/chaos/upload-evidence.ts'
const { main } = await import(pathToFileURL(await bundleEntry(entry)).href)
await main(process.argv)
