#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleEntry } from '../../lib/setup/bundle.mjs'
// The command `proofboard`: makes sure the packages are there, bundles the TypeScript when it changed, runs it. The
// runner works without a server; where there is one beside it, the server's commands go there.
import { ensureInstalled } from '../../lib/setup/ensure-installed.mjs'
import { takeKeys } from '../../lib/setup/take-keys.mjs'

takeKeys()
const consolePath = new URL('../../lib/server/console/console.mjs', import.meta.url)
const server = existsSync(consolePath) ? await import(consolePath.href) : null
const serverCommands = server?.SERVER_COMMANDS ?? {}
const [first, second] = process.argv.slice(2)
const isForServer = Object.hasOwn(serverCommands, (first === 'help' ? second : first) ?? '')
await ensureInstalled()
if (isForServer) await server.main(process.argv)
else {
  const bundle = await bundleEntry(fileURLToPath(new URL('./main.ts', import.meta.url)))
  const { main } = await import(pathToFileURL(bundle).href)
  await main(process.argv, serverCommands)
}
