// @ts-check
// `npm run pack`: writes the package `proofboard`, the runner and its command line, as a file that npm installs; with
// `--server <folder>` the whole server into a folder, as in the container image.
import { join, resolve } from 'node:path'
import { ensureInstalled } from '../ensure-installed.mjs'
import { ROOT } from '../layout.mjs'
import { reportFailure } from '../progress.mjs'
import { readArguments } from '../read-arguments.mjs'
import { makePackage } from './make-package.mjs'
import { makeServer } from './make-server.mjs'

const USAGE = 'npm run pack [-- --out <folder> [--name @scope/name] | --server <empty folder>]'
const { values } = readArguments(USAGE, {
  out: { type: 'string' },
  name: { type: 'string' },
  server: { type: 'string' },
})

try {
  await ensureInstalled()
  console.log(
    values.server === undefined ? await packRunner(values) : await packServer(values.server),
  )
} catch (error) {
  process.exitCode = reportFailure(error)
}

/** @param {{ out?: string | undefined, name?: string | undefined }} asked */
async function packRunner({ out, name }) {
  const folder = out === undefined ? join(ROOT, 'dist') : resolve(out)
  const { file, bytes, files, state } = await makePackage(folder, name)
  return `${file}: ${(bytes / 1e6).toFixed(1)} MB, ${files} files, ${state}`
}

/** @param {string} place */
async function packServer(place) {
  const folder = resolve(place)
  return `${folder}: ${await makeServer(folder)}`
}
