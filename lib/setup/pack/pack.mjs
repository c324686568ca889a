// @ts-check
// `npm run pack`: the package `proofboard`, which is the runner and its command line, as a file that npm installs.
import { join, resolve } from 'node:path'
import { ensureInstalled } from '../ensure-installed.mjs'
import { ROOT } from '../layout.mjs'
import { SetupFailure } from '../progress.mjs'
import { readArguments } from '../read-arguments.mjs'
import { makePackage } from './make-package.mjs'

const { values } = readArguments('npm run pack [-- --out <folder>]', { out: { type: 'string' } })
try {
  await ensureInstalled()
  const out = values.out === undefined ? join(ROOT, 'dist') : resolve(values.out)
  const { file, bytes, files, state } = await makePackage(out)
  console.log(`${file}: ${(bytes / 1e6).toFixed(1)} MB, ${files} files, ${state}`)
} catch (error) {
  if (!(error instanceof SetupFailure)) throw error
  if (error.output !== '') console.error(error.output)
  console.error(error.message)
  process.exitCode = 1
}
