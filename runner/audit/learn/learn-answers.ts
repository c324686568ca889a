import { basename, dirname, extname, posix } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import type { LoadedExercise } from '../../suites/task-folder.ts'
import { stubWithBodies } from '../build-solution.ts'
import { type Learned, Notebook } from './notebook.ts'
import { createRehearsal } from './rehearsal.ts'

/** Bodies of the stub that ask for what was learned; `constructor` returns nothing, `this` stays `this`. */
export const asking = (index: number, kind: string): string =>
  ({
    function: `return __answer(${index}, [...arguments])`,
    constructor: `__answer(${index}, [...arguments])`,
    chained: `__answer(${index}, [...arguments]); return this`,
  })[kind] ?? ''

/**
 * Learns the visible tests by heart: plays them against a stub that notes each call and gives out tokens, and an
 * `expect` that notes what each token should have been. Nothing of the reference is used. Null when the stub has no
 * unwritten body or the tests cannot be played.
 */
export async function learnAnswers(task: LoadedExercise): Promise<Learned | null> {
  const notebook = new Notebook()
  const stub = stubWithBodies(task, { body: ({ index, kind }) => asking(index, kind) })
  if (stub === null) return null
  const { transform } = await import('esbuild')
  const files = new Map<string, string>()
  for (const { path, text } of [...stub, ...task.support, ...task.tests]) {
    const { code } = await transform(text, { loader: 'ts', format: 'cjs', target: 'node20' })
    files.set(path, code)
  }
  const rehearsal = createRehearsal(notebook)
  const load = createLoader(files, rehearsal.jest, notebook)
  try {
    for (const { path } of task.tests) load(path)
    await rehearsal.play()
  } catch {
    return null // Tests that need more than this rehearsal has: nothing is learned.
  }
  return notebook.learned()
}

type Module = { exports: Record<string, unknown> }

/** Loads the compiled files in a realm of their own; the tests are the task's own and are trusted. */
function createLoader(
  files: ReadonlyMap<string, string>,
  jest: object,
  notebook: Notebook,
): (path: string) => unknown {
  const context = createContext({
    console: QUIET,
    setTimeout,
    clearTimeout,
    queueMicrotask,
    ...GIVEN,
  })
  const loaded = new Map<string, Module>()
  const load = (path: string): unknown => {
    const known = loaded.get(path)
    if (known) return known.exports
    const module: Module = { exports: {} }
    loaded.set(path, module)
    const wrap = `(function (exports, require, module, __answer) {${files.get(path)}\n})`
    const require = (name: string) => (name === '@jest/globals' ? jest : load(find(path, name)))
    runInContext(wrap, context, { timeout: 5_000, filename: path })(
      module.exports,
      require,
      module,
      notebook.answer,
    )
    return module.exports
  }
  const find = (from: string, name: string): string => {
    const base = posix.join(dirname(from), name)
    const stem = posix.join(dirname(base), basename(base, extname(base)))
    const found = [base, `${base}.ts`, `${stem}.ts`].find((one) => files.has(one))
    if (found === undefined) throw new Error(`${from} asks for ${name}`)
    return found
  }
  return load
}

const none = () => undefined
const QUIET = { log: none, error: none, warn: none, info: none }
const GIVEN = {
  structuredClone,
  URL,
  TextEncoder,
  TextDecoder,
  AbortController,
  Event,
  EventTarget,
}
