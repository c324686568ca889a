import { randomUUID } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'
import type ts from 'typescript-gate'
import type { Compiler } from '../bundle/build-programs.ts'

/** TypeScript with V8's code cache; `keepCache` writes the cache after the compiler has run, when there is none. */
export function loadTypescript({ path, source, cache, cachePath }: Compiler): {
  typescript: typeof ts
  keepCache: () => void
} {
  const text = Buffer.from(source).toString('latin1')
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${text}\n})`, {
    filename: path,
    ...(cache && { cachedData: Buffer.from(cache) }),
  })
  const module = { exports: {} as typeof ts }
  const run = script.runInThisContext() as (...given: unknown[]) => void
  run(module.exports, createRequire(path), module, path, dirname(path))
  const stale = cache === null || script.cachedDataRejected === true
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
