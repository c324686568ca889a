import { nodeProgram } from '../../../process/node-program.ts'

/** Flags of every test process. V8's code cache is only accepted under the flags it was made with. */
export function childFlags(): string[] {
  return [
    '--max-old-space-size=512',
    '--stack-size=984',
    '--no-warnings',
    // Fresh memory is zeroed, so that no Buffer shows what lay there before.
    '--zero-fill-buffers',
    // Should a solution reach node's real modules: no files, no processes, no threads.
    nodeProgram().permissionFlag,
  ]
}

/**
 * Starts the test process from the runner's memory: the program and V8's code cache of it arrive on the input pipe
 * before the work does, so there is no file of the verifier that a subject could replace. Compiled this way the bundle
 * cannot `import()` either. The header is `<bytes of the source> <bytes of the cache>\n`.
 */
export const BOOT = `'use strict'
const { readSync } = require('node:fs')
const { Script } = require('node:vm')
const read = (size) => {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let at = 0; at < size; ) {
    const got = readSync(3, bytes, at, size - at, null)
    if (got === 0) process.reallyExit(0)
    at += got
  }
  return bytes
}
let header = ''
for (let one = ''; one !== '\\n'; header += one) one = read(1).toString('latin1')
const [size, cached] = header.split(' ').map(Number)
const source = read(size).toString('latin1')
const cachedData = cached > 0 ? read(cached) : undefined
new Script(source, { filename: 'gate-child.js', cachedData }).runInThisContext()(process, require)
`

/** Runs the bundle once without work and keeps V8's code cache of it. */
export const WARM = `'use strict'
const { readFileSync, writeFileSync } = require('node:fs')
const { Script } = require('node:vm')
const script = new Script(readFileSync(__dirname + '/gate-child.js', 'latin1'), { filename: 'gate-child.js' })
const leave = process.reallyExit.bind(process)
process.reallyExit = (code) => {
  writeFileSync(__dirname + '/gate-child.cache', script.createCachedData())
  leave(code)
}
script.runInThisContext()(process, require)
`
