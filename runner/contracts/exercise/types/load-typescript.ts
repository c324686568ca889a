import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'
import type ts from 'typescript-gate'

/** TypeScript with V8's code cache; `keepCache` writes the cache after the compiler has run, when there is none. */
export function loadTypescript(
  path: string,
  cachePath: string,
): { typescript: typeof ts; keepCache: () => void } {
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(path, 'latin1')}\n})`
  const cachedData = existsSync(cachePath) ? readFileSync(cachePath) : undefined
  const script = new Script(source, { filename: path, ...(cachedData && { cachedData }) })
  const module = { exports: {} as typeof ts }
  const run = script.runInThisContext() as (...given: unknown[]) => void
  run(module.exports, createRequire(path), module, path, dirname(path))
  const stale = cachedData === undefined || script.cachedDataRejected === true
  return { typescript: module.exports, keepCache: () => void (stale && write(script, cachePath)) }
}

function write(script: Script, cachePath: string): void {
  const temporary = `${cachePath}.${randomUUID()}`
  try {
    writeFileSync(temporary, script.createCachedData())
    renameSync(temporary, cachePath)
  } catch {
    // A cache that cannot be kept only costs time.
  }
}
