// @ts-check
// Loads a program of this repository into this process, like `import()`, but faster: from V8's code cache, which Node
// 20 supports for scripts only. Compiling takes more than half of the time of a short command.
import { randomUUID } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { bundleEntry } from './bundle.mjs'

/**
 * Returns the exports of a TypeScript entry, bundled when it changed.
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
  // Written at exit, when the functions called so far are compiled and belong in the cache.
  if (cachedData === undefined || script.cachedDataRejected)
    process.once('exit', () => writeQuietly(cachePath, script))
  // Former imports may name a file by its URL.
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

/**
 * Writes the cache, which may belong to another user: then every start compiles.
 * @param {string} path
 * @param {Script} script
 */
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
