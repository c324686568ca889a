// @ts-check
// `npm run dev`: like `npm start`, with Next's development server.
import { refuseArguments } from './serve/refuse-arguments.mjs'
import { runServers } from './serve/run-servers.mjs'

process.exit(refuseArguments('npm run dev', process.argv.slice(2)) ?? (await runServers('dev')))
