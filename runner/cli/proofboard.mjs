#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
// The `proofboard` command: installs missing packages, bundles the TypeScript if it changed, and runs it. The runner
// needs no server; if the server is installed next to it, the server's commands are forwarded there.
import { ensureInstalled } from '../../lib/setup/ensure-installed.mjs'
import { DEFAULT_DATA_FOLDER, PACKAGE } from '../../lib/setup/layout.mjs'
import { loadProgram } from '../../lib/setup/load-program.mjs'
import { outliveReaders } from '../../lib/setup/outlive-readers.mjs'
import { reportFailure } from '../../lib/setup/progress.mjs'
import { takeKeys } from '../../lib/setup/take-keys.mjs'

takeKeys()
outliveReaders()
const consolePath = new URL('../../lib/server/console/console.mjs', import.meta.url)
const server = existsSync(consolePath) ? await import(consolePath.href) : null
const serverCommands = server?.SERVER_COMMANDS ?? PACKAGE?.serverCommands ?? {}
const words = process.argv.slice(2)
const [first, second] = words
const command = (first === 'help' ? second : first) ?? ''
try {
  await start(command)
} catch (error) {
  process.exitCode = reportFailure(error)
}

/** @param {string} command */
async function start(command) {
  // The names without `server` are those of earlier versions.
  const isForServer = command === 'server' || Object.hasOwn(serverCommands, command)
  await ensureInstalled()
  // Child processes work in other folders and have to use the data folder of this one.
  if (PACKAGE !== null) process.env.PROOFBOARD_DATA_DIR ||= DEFAULT_DATA_FOLDER
  if (isForServer && server === null) return refuseServerCommand(command)
  if (isForServer) {
    const rest = words.filter((word, index) => word !== 'server' || index > 1 || command !== word)
    return server.main([...process.argv.slice(0, 2), ...(rest.length > 0 ? rest : ['--help'])])
  }
  const { main } = await loadProgram(fileURLToPath(new URL('./main.ts', import.meta.url)))
  await main(process.argv, serverCommands)
}

/** @param {string} command */
function refuseServerCommand(command) {
  process.stderr.write(
    `proofboard ${command} is a command of the server, which this package does not contain: clone the repository and run npm start there\n`,
  )
  process.exitCode = 2
}
