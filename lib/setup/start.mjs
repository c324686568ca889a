// @ts-check
// `npm start`: from a fresh clone to a board that fills by itself. Plain JavaScript that needs only node.
import { refuseArguments } from './serve/refuse-arguments.mjs'
import { runServers } from './serve/run-servers.mjs'

process.exit(refuseArguments('npm start', process.argv.slice(2)) ?? (await runServers('start')))
