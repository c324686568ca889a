// @ts-check
// `npm start`: from a fresh clone to a board that fills by itself. Plain JavaScript that needs nothing but node.
import { runServers } from './serve/run-servers.mjs'

process.exit(await runServers('start'))
