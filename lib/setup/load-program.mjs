// @ts-check
// Loads a program of this repository into this process, as `import()` does, but quicker: V8 keeps what it compiled, which
// Node 20 can do for scripts alone. Compiling takes more than half of the time of a short command.
import { randomUUID } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { bundleEntry } from './bundle.mjs'

/**
 * The exports of a TypeScript entry, bundled when it changed.
 * @param {string} entryPath absolute, or relative to the repository
 * @returns {Promise<any>}
 */
export async function loadProgram(entryPath) {
  const bundle = await bundleEntry(entryPath, { asScript: true })
  return bundle.endsWith('.cjs') ? runScript(bundle) : import(pathToFileURL(bundle).href)
}

/** @param {string} path of a CommonJS bundle */
function runScript(path) {
  const load = createRequire(path)
  if (process.versions.bun) return load(path)
  const cachePath = `${path}.${process.version}-${process.arch}.cache`
  const cachedData = readQuietly(cachePath)
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`
  const script = new Script(source, { filename: path, cachedData })
  // At the end, because functions that were called by then are compiled, and belong into the cache.
  if (cachedData === undefined || script.cachedDataRejected)
    process.once('exit', () => writeQuietly(cachePath, script))
  // What was an import may name a file by its address.
  const require = (/** @type {string} */ id) =>
    load(id.startsWith('file:') ? fileURLToPath(id) : id)
  const module = { exports: {} }
  script.runInThisContext()(
    module.exports,
    Object.assign(require, load),
    module,
    path,
    dirname(path),
  )
  return module.exports
}

/** @param {string} path */
function readQuietly(path) {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** The cache may belong to another user: then every start compiles. @param {string} path @param {Script} script */
function writeQuietly(path, script) {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, script.createCachedData())
    chmodSync(draft, 0o644)
    renameSync(draft, path)
  } catch {
    rmSync(draft, { force: true })
  }
}
