import { compileFunction } from 'node:vm'
import { WATCHER } from '../types/watch-assignments.ts'
import type { ChildFile } from './child-input.ts'
import { addFinding, nullObject } from './findings.ts'
import { noteWrite } from './guard-writes.ts'

const { apply } = Reflect
const compile = compileFunction

type Module = { exports: unknown; loaded: boolean; failed: boolean; error: unknown }
type Entry = ChildFile & { module: Module | null }

export type LoaderHooks = {
  /** Returns a node module, or null if there is none of this name. */
  builtin: (specifier: string) => unknown
  /** `@jest/globals`: for tests and their support only. */
  jestGlobals: Record<string, unknown>
  /** Called when the outermost solution module has run its top-level code. */
  onSolutionLoaded: () => void
}

const ENDINGS = ['', '.ts', '.tsx', '.js', '.json', '/index.ts', '/index.js'] as const

/** Loads the input files as CommonJS modules. Only these files and allowed builtins can be required. */
export function createLoader(
  files: readonly ChildFile[],
  hooks: LoaderHooks,
): (path: string) => unknown {
  const entries = Object.create(null) as Record<string, Entry | undefined>
  for (const file of files) entries[file.path] = nullObject({ ...file, module: null })
  const names = Object.keys(hooks.jestGlobals)
  const values = names.map((name) => hooks.jestGlobals[name])
  let solutionDepth = 0

  function load(entry: Entry): unknown {
    const { module: known } = entry
    if (known?.failed) throw known.error
    if (known) return known.exports
    const module: Module = nullObject({ exports: {}, loaded: false, failed: false, error: null })
    entry.module = module
    const hostile = entry.role === 'solution'
    if (hostile) solutionDepth++
    try {
      run(entry, module)
      module.loaded = true
    } catch (error) {
      module.failed = true
      module.error = error
      throw error
    } finally {
      if (hostile && --solutionDepth === 0) hooks.onSolutionLoaded()
    }
    return module.exports
  }

  function run(entry: Entry, module: Module): void {
    const shown = {
      exports: module.exports as object,
      id: entry.path,
      filename: entry.path,
      children: [],
    }
    const require = (specifier: unknown): unknown => requireFrom(entry, `${specifier as string}`)
    const given = [shown.exports, require, shown, entry.path, directoryOf(entry.path), noteWrite]
    const main =
      entry.role === 'solution' ? compilePlain(entry) : compileTrusted(entry, names, values)
    // Circular imports must see the value of `module.exports = …` at the top of esbuild's output.
    Object.defineProperty(shown, 'exports', {
      get: () => module.exports,
      set: (value) => {
        module.exports = value
      },
      enumerable: true,
    })
    apply(main, shown.exports, given)
  }

  function requireFrom(entry: Entry, specifier: string): unknown {
    if (specifier[0] === '.' || specifier[0] === '/') return load(find(entry, specifier))
    if (specifier === '@jest/globals' && entry.role !== 'solution') return hooks.jestGlobals
    if (entry.role === 'solution' && isTestFramework(specifier)) noteAsked(specifier)
    const builtin = hooks.builtin(specifier)
    if (builtin === null) throw notFound(entry, specifier)
    return builtin
  }

  function find(from: Entry, specifier: string): Entry {
    const base = resolvePath(directoryOf(from.path), specifier)
    const bare = withoutJs(base)
    for (let index = 0; index < ENDINGS.length; index++) {
      const ending = ENDINGS[index] as string
      const found = entries[base + ending] ?? (bare === null ? undefined : entries[bare + ending])
      if (found && mayHave(from, found)) return found
    }
    throw notFound(from, specifier)
  }

  return (path) => load(entries[path] as Entry)
}

const noteAsked = (what: string): void =>
  addFinding('refused-module', `the solution asked for ${what}`)

function isTestFramework(name: string): boolean {
  return name === '@jest/globals' || name === 'jest' || name === 'expect' || name === 'vitest'
}

/** A solution never gets access to tests or scenario: it could run or read them. */
function mayHave(from: Entry, { path, role }: Entry): boolean {
  if (from.role !== 'solution' || role === 'solution' || role === 'support') return true
  noteAsked(path)
  return false
}

function notFound(from: Entry, specifier: string): Error {
  const error = new Error(`Cannot find module '${specifier}' from '${from.path}'`)
  return Object.assign(error, { code: 'MODULE_NOT_FOUND' })
}

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', WATCHER]
const PARAMETERS_TEXT = PARAMETERS.join(',')

function compilePlain(entry: Entry): () => unknown {
  return compile(entry.code, PARAMETERS, { filename: entry.path }) as () => unknown
}

/** Tests see jest's functions as free names too; an outer function prevents clashes with a test's own `const test`. */
function compileTrusted(entry: Entry, names: string[], values: unknown[]): () => unknown {
  const body = `return function(${PARAMETERS_TEXT}){${entry.code}\n}`
  return apply(compile(body, names, { filename: entry.path }), undefined, values) as () => unknown
}

function directoryOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

function withoutJs(path: string): string | null {
  return path.endsWith('.js') ? path.slice(0, -3) : null
}

/** Joins and normalises; a path that leaves the task finds nothing. */
function resolvePath(directory: string, specifier: string): string {
  let path = specifier[0] === '/' ? '' : directory
  let step = ''
  for (let index = 0; index <= specifier.length; index++) {
    const character = specifier[index] ?? '/'
    if (character === '/') path = takeStep(path, step)
    step = character === '/' ? '' : step + character
  }
  return path
}

function takeStep(path: string, step: string): string {
  if (step === '..') return directoryOf(path)
  if (step === '' || step === '.') return path
  return path === '' ? step : `${path}/${step}`
}
