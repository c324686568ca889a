// `npm run screenshots`: bundles and runs the program that makes README.md's screenshots.
import { readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'
import { readArguments } from '../../setup/read-arguments.mjs'
import { withTemporary } from '../run/with-temporary.mjs'

const names = readdirSync('.github/screenshots').map((file) => file.replace(/\.png$/, ''))
const { positionals } = readArguments('npm run screenshots [-- name …]', {}, { words: names })

// Playwright handles the signal only for its browser; exiting ends the server as well.
process.once('SIGTERM', () => process.exit(143))

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/screenshots/take-screenshots.ts')).href
)
process.exitCode = await withTemporary((folder) => {
  process.env.TMPDIR = folder
  return main(positionals)
})
