import { posix } from 'node:path'
import { compileFunction } from 'node:vm'
import { expect } from 'expect'
import { ModuleMocker } from 'jest-mock'

type Run = (...given: unknown[]) => unknown
type Planned = { run: Run; row: readonly unknown[] }
type Module = { exports: Record<string, unknown> }

const MOST_MS = 500

/**
 * Plays the task's own tests in this process against its own reference, both trusted, so that a listener hears what is
 * asked and answered. `files` are compiled; `wrap` stands between the tests and the exports of a solution file.
 */
export async function rehearse(
  files: ReadonlyMap<string, string>,
  { tests, wrap }: { tests: readonly string[]; wrap: (path: string, exports: object) => object },
): Promise<void> {
  const stage = createStage()
  const load = createLoader(files, stage.jest, wrap)
  for (const path of tests) load(path)
  await stage.play()
}

function createLoader(
  files: ReadonlyMap<string, string>,
  jest: object,
  wrap: (path: string, exports: object) => object,
): (path: string) => object {
  const loaded = new Map<string, Module>()
  const load = (path: string): object => {
    const known = loaded.get(path)
    if (known) return known.exports
    const module: Module = { exports: {} }
    loaded.set(path, module)
    const require = (name: string) => (name === '@jest/globals' ? jest : load(find(path, name)))
    const parameters = ['exports', 'require', 'module']
    compileFunction(files.get(path) ?? '', parameters, { filename: path })(
      module.exports,
      require,
      module,
    )
    module.exports = wrap(path, module.exports) as Module['exports']
    return module.exports
  }
  const find = (from: string, name: string): string => {
    const base = posix.join(posix.dirname(from), name)
    const found = [base, `${base}.ts`, base.replace(/\.js$/, '.ts')].find((one) => files.has(one))
    if (found === undefined) throw new Error(`${from} asks for ${name}`)
    return found
  }
  return load
}

/** As much of a test runner as it takes to make every call that the tests make. */
function createStage(): { jest: object; play: () => Promise<void> } {
  const planned: Planned[] = []
  const hooks: Run[] = []
  const add = (run: Run, row: readonly unknown[]) => void planned.push({ run, row })
  const it = Object.assign((_name: string, run?: Run) => run && add(run, []), {
    each: eachOf(add),
    only: (_name: string, run: Run) => add(run, []),
    skip: () => {},
    todo: () => {},
  })
  const describe = Object.assign((_name: string, run: Run) => void run(), {
    each: eachOf((run, row) => void run(...row)),
    skip: () => {},
  })
  const hook = (run: Run) => void hooks.push(run)
  const mocker = new ModuleMocker(globalThis)
  const jest = {
    ...{ it, test: it, xit: it, xtest: it, fit: it, describe, xdescribe: describe },
    ...{ beforeEach: hook, beforeAll: hook, afterEach: () => {}, afterAll: () => {} },
    expect,
    jest: { fn: mocker.fn.bind(mocker), spyOn: mocker.spyOn.bind(mocker) },
  }
  const play = async () => {
    for (const { run, row } of planned) {
      for (const before of hooks) await quietly(before, [])
      await quietly(run, row)
    }
  }
  return { jest, play }
}

function eachOf(plan: (run: Run, row: readonly unknown[]) => void) {
  return (rows: readonly unknown[]) => (_name: string, run: Run) => {
    for (const row of rows) plan(run, Array.isArray(row) ? row : [row])
  }
}

/** What a test asked until it failed or hung is what there is to hear. */
async function quietly(run: Run, row: readonly unknown[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, MOST_MS)
  })
  try {
    await Promise.race([run(...row), late])
  } catch {
    // A reference passes; a test that needs more than this stage has does not.
  } finally {
    clearTimeout(timer)
  }
}
