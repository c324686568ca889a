// @ts-check
// `npm run dev`: as `npm start`, with Next's development server.
import { runServers } from './serve/run-servers.mjs'

process.exit(await runServers('dev'))
