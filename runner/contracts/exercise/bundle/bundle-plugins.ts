import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { applyPatches, EXPECT_PATCHES } from './expect-patches.ts'

const STUBBED = /^(jest-util|jest-message-util)$/
/** Messages without colours: the functions of chalk that jest asks for. */
const CHALK = `const plain = String
module.exports = { green: plain, red: plain, dim: plain, bold: plain, yellow: plain, inverse: plain, bgYellow: plain }`

/** Resolves the patched parts of jest: the guard, the stand-ins, and each package file with its changes. */
export function patchedExpect(childFolder: string): Plugin {
  const seen = new Set<string>()
  return {
    name: 'patched-expect',
    setup({ onResolve, onLoad, onEnd }) {
      onResolve({ filter: STUBBED }, () => ({ path: join(childFolder, 'expect-stubs.ts') }))
      onResolve({ filter: /^proofboard:guard$/ }, () => ({
        path: join(childFolder, 'expect-guard.ts'),
      }))
      onResolve({ filter: /^chalk$/ }, () => ({ path: 'chalk', namespace: 'stub' }))
      onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: CHALK }))
      onLoad({ filter: /[\\/]build[\\/].*\.js$/ }, async ({ path }) => {
        const posix = path.replaceAll('\\', '/')
        const name = Object.keys(EXPECT_PATCHES).find((key) =>
          posix.endsWith(`/node_modules/${key}`),
        )
        if (name === undefined) return undefined
        seen.add(name)
        return {
          contents: applyPatches(name, await readFile(path, 'utf8'), EXPECT_PATCHES[name] ?? []),
          loader: 'js',
        }
      })
      onEnd(({ errors }) => {
        const unused = Object.keys(EXPECT_PATCHES).filter((name) => !seen.has(name))
        if (errors.length === 0 && unused.length > 0)
          throw new Error(`not part of the bundle: ${unused.join(', ')}`)
      })
    },
  }
}
