// Bundles and runs what makes the screenshots of README.md: `npm run screenshots`.
import { readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'
import { readArguments } from '../../setup/read-arguments.mjs'
import { withTemporary } from '../../setup/test/with-temporary.mjs'

const names = readdirSync('.github/screenshots').map((file) => file.replace(/\.png$/, ''))
const { positionals } = readArguments('npm run screenshots [-- name …]', {}, { words: names })

// Playwright takes the signal for its browser alone; leaving ends the copy as well.
process.once('SIGTERM', () => process.exit(143))

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/screenshots/take-screenshots.ts')).href
)
process.exitCode = await withTemporary((folder) => {
  process.env.TMPDIR = folder
  return main(positionals)
})
