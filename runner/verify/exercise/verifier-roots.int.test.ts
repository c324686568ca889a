import { builtinModules } from 'node:module'
import { describe, expect, it } from 'vitest'
import { sharedVerifier } from '#lib/testing/factories/shared-verifier.ts'
import { exerciseInput, oneTest } from '#lib/testing/verifier/exercise-input.ts'
import { LANGUAGE_GLOBALS } from './child/guard-writes.ts'

/** Everything that a solution can start from, besides the language itself. A new root needs a review first. */
const ROOTS = [
  ...['AbortController', 'AbortSignal', 'Buffer', 'CustomEvent', 'DOMException', 'Event'],
  'EventTarget',
  ...['TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'structuredClone'],
  ...['clearImmediate', 'clearInterval', 'clearTimeout', 'console', 'crypto', 'global'],
  ...['globalThis', 'performance', 'process', 'queueMicrotask', 'setImmediate', 'setInterval'],
  'setTimeout',
]

const MODULES = [
  ...['assert', 'assert/strict', 'buffer', 'console', 'crypto', 'events', 'path', 'path/posix'],
  ...['perf_hooks', 'process', 'punycode', 'querystring', 'string_decoder', 'timers'],
  ...['timers/promises', 'url', 'util', 'util/types'],
]

const verifier = sharedVerifier()

/** Runs code of a solution and returns its result, via the message of a failed test. */
async function ask(code: string): Promise<unknown> {
  const { tests, findings } = await verifier.evaluate(
    exerciseInput({
      solution: `// @ts-nocheck\nexport const answer = (): string => JSON.stringify((() => { ${code} })())`,
      test: oneTest('answer', 'throw new Error("<<" + answer() + ">>")'),
    }),
  )
  const said = /<<(.*)>>/s.exec(tests.results[0]?.message ?? '')?.[1]
  if (said === undefined) throw new Error(JSON.stringify([tests, findings]))
  return JSON.parse(said)
}

describe('what a solution can start from', () => {
  it('is this list of globals beside the language', async () => {
    const names = (await ask('return Object.getOwnPropertyNames(globalThis)')) as string[]
    expect(names.filter((name) => !LANGUAGE_GLOBALS.includes(name)).sort()).toEqual(ROOTS.sort())
  })

  it('is this list of modules', async () => {
    const names = JSON.stringify([...new Set(builtinModules)])
    const found = await ask(
      `return ${names}.filter((name) => { try { return Boolean(require(name)) } catch { return false } })`,
    )
    expect(found).toEqual(MODULES)
  })

  it('is frozen, whole', async () => {
    const open = await ask(`
      const roots = new Map(${JSON.stringify(ROOTS)}.map((name) => [name, globalThis[name]]))
      for (const name of ${JSON.stringify(MODULES)}) roots.set('require ' + name, require(name))
      roots.delete('globalThis'); roots.delete('global')
      const seen = new Set([globalThis]), open = []
      const waiting = [...roots]
      while (waiting.length > 0) {
        const [path, value] = waiting.pop()
        if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
        seen.add(value)
        if (!Object.isFrozen(value)) open.push(path)
        if (ArrayBuffer.isView(value)) continue
        waiting.push([path + '.__proto__', Object.getPrototypeOf(value)])
        for (const key of Reflect.ownKeys(value)) {
          const found = Object.getOwnPropertyDescriptor(value, key)
          waiting.push([path + '.' + String(key), found.value], [path + '.get ' + String(key), found.get], [path + '.set ' + String(key), found.set])
        }
      }
      return open`)
    // Tests spy on the console; process is our replacement with plain settings. Error accepts stackTraceLimit.
    const allowed =
      /^(require )?(console|process)$|^(require )?process\.(env|argv|execArgv|versions|release|stdout|stderr)|\.Error$|(AssertionError|DOMException)\.__proto__$/
    expect((open as string[]).filter((path) => !allowed.test(path))).toEqual([])
  })

  it('holds no object of node: no symbol of its internals hangs on anything', async () => {
    const symbols = await ask(`
      const roots = ${JSON.stringify(ROOTS)}.map((name) => globalThis[name]).concat(${JSON.stringify(MODULES)}.map((name) => require(name)))
      roots.push(new AbortController().signal, new URL('http://a.b'), new EventTarget(), new Event('x'), new TextDecoder(), require('crypto').createHash('sha256'))
      const seen = new Set([globalThis]), found = new Set(), waiting = [...roots]
      while (waiting.length > 0) {
        const value = waiting.pop()
        if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
        seen.add(value)
        if (ArrayBuffer.isView(value)) continue
        waiting.push(Object.getPrototypeOf(value))
        for (const key of Reflect.ownKeys(value)) {
          if (typeof key === 'symbol' && !Object.values(Object.getOwnPropertyDescriptors(Symbol)).some((d) => d.value === key)) found.add(String(key))
          const own = Object.getOwnPropertyDescriptor(value, key)
          waiting.push(own.value, own.get, own.set)
        }
      }
      return [...found].sort()`)
    // Buffer is node's own class, kept because programs rely on all of it; its methods accept and return bytes and
    // text. The others are public: they are in the registry of symbols.
    const known = ['inspect', 'promisify'].map((name) => `Symbol(nodejs.util.${name}.custom)`)
    expect(symbols).toEqual(['Symbol(kIsEncodingSymbol)', ...known])
  })
})
