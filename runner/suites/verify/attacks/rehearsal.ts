import { posix } from 'node:path'
import { compileFunction } from 'node:vm'

type Run = (...given: unknown[]) => unknown
type Planned = { run: Run; row: readonly unknown[] }
type Module = { exports: Record<string, unknown> }

const MAX_MS = 500

/**
 * Runs the task's own tests in this process against its own reference, both trusted, so that a listener sees the calls
 * and their results. `files` are compiled; `wrap` wraps the exports of a solution file for the tests.
 */
export async function rehearse(
  files: ReadonlyMap<string, string>,
  { tests, wrap }: { tests: readonly string[]; wrap: (path: string, exports: object) => object },
): Promise<void> {
  const stage = await createStage()
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

/**
 * Creates a minimal test runner that makes every call of the tests. Loaded lazily, because every command imports this
 * file.
 */
async function createStage(): Promise<{ jest: object; play: () => Promise<void> }> {
  const [{ expect }, { ModuleMocker }] = await Promise.all([import('expect'), import('jest-mock')])
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
    it,
    test: it,
    xit: it,
    xtest: it,
    fit: it,
    describe,
    xdescribe: describe,
    beforeEach: hook,
    beforeAll: hook,
    afterEach: () => {},
    afterAll: () => {},
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

/** Runs a test; its calls until it failed or hung are enough. */
async function quietly(run: Run, row: readonly unknown[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, MAX_MS)
  })
  try {
    await Promise.race([run(...row), late])
  } catch {
    // A reference passes; a test that needs more than this stage provides does not.
  } finally {
    clearTimeout(timer)
  }
}

/** One call of a test and the result of a correct solution, as expressions of the language. */
export type LearnedCall = {
  /** `name` of a function, `Class.method`, `Class.get name`. */
  body: string
  args: string
  /** Position of the call in the tests, as line and column. */
  caller: string
  /** Null = it cannot be serialised. */
  answer: string | null
  throws: string | null
  isAwaited: boolean
}

type Call = (...given: unknown[]) => unknown
type Constructor = new (...given: unknown[]) => object

const numberName = (value: number): string => (Number.isNaN(value) ? 'NaN' : `${value}`)

const tagOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1)

/** Records every call of a module's exports with its result. */
export class Notebook {
  readonly calls: LearnedCall[] = []

  /** Wraps exports to record each call; errors and plain values stay unchanged. */
  wrap = (exports: object): object =>
    Object.fromEntries(
      Object.entries(exports).map(([name, value]) => [name, this.#wrapExport(name, value)]),
    )

  #wrapExport(name: string, value: unknown): unknown {
    if (typeof value !== 'function' || value.prototype instanceof Error) return value
    if (isClass(value)) return this.#wrapClass(name, value as unknown as Constructor)
    return (...given: unknown[]) => this.#note(name, given, () => (value as Call)(...given), null)
  }

  #wrapClass(name: string, real: Constructor): unknown {
    return new Proxy(real, {
      construct: (_, given) => {
        const make = () => new real(...given)
        const made = this.#note(`${name}.new`, given, make, null) as object
        return this.#wrapInstance(name, made)
      },
    })
  }

  #wrapInstance(name: string, real: object): object {
    const shown: object = new Proxy(real, {
      get: (_, key) => {
        const isGetter = findGetter(real, key)
        const read = () => Reflect.get(real, key, real) as unknown
        if (isGetter) return this.#note(`${name}.get ${String(key)}`, [], read, null)
        const value = read()
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          const call = () => Reflect.apply(value as Call, real, given) as unknown
          const answer = this.#note(`${name}.${String(key)}`, given, call, real)
          return answer === real ? shown : answer
        }
      },
    })
    return shown
  }

  #note(
    body: string,
    given: readonly unknown[],
    call: () => unknown,
    self: object | null,
  ): unknown {
    const note: LearnedCall = {
      body,
      args: toExpression(given) ?? '?',
      caller: /\.test\.ts:(\d+:\d+)/.exec(new Error().stack ?? '')?.[1] ?? '?',
      answer: null,
      throws: null,
      isAwaited: false,
    }
    this.calls.push(note)
    try {
      const answer = call()
      if (answer instanceof Promise) this.#await(note, answer)
      else note.answer = answer === self && self !== null ? 'this' : toExpression(answer)
      return answer
    } catch (error) {
      note.throws = toError(error)
      throw error
    }
  }

  #await(note: LearnedCall, promise: Promise<unknown>): void {
    note.isAwaited = true
    promise.then(
      (value) => {
        note.answer = toExpression(value)
      },
      (error) => {
        note.throws = toError(error)
      },
    )
  }
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value))
}

function findGetter(target: object, key: PropertyKey): boolean {
  for (let at: object | null = target; at; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, key)
    if (found) return found.get !== undefined
  }
  return false
}

/** Serialises an error with its class, message and own fields, created without its constructor. */
function toError(error: unknown): string {
  if (!(error instanceof Error)) return toExpression(error) ?? 'undefined'
  const fields = Object.fromEntries(
    Object.entries(error).filter(([, value]) => toExpression(value) !== null),
  )
  return `__error(${JSON.stringify(error.constructor.name)}, ${JSON.stringify(error.message)}, ${toExpression(fields)})`
}

/** Serialises a plain value as an expression of the language; null if that is impossible. */
function toExpression(value: unknown, depth = 0): string | null {
  if (depth > 20) return null
  if (value === undefined) return 'undefined'
  if (typeof value === 'number')
    return Object.is(value, -0) ? '-0' : Number.isFinite(value) ? String(value) : numberName(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value === null || typeof value === 'boolean' || typeof value === 'string')
    return JSON.stringify(value)
  return typeof value === 'object' ? objectExpression(value, depth) : null
}

function objectExpression(value: object, depth: number): string | null {
  const inner = (one: unknown) => toExpression(one, depth + 1)
  switch (tagOf(value)) {
    case 'Array':
      return list(value as unknown[], inner, (all) => `[${all}]`)
    case 'Map':
      return list([...(value as Map<unknown, unknown>)], inner, (all) => `new Map([${all}])`)
    case 'Set':
      return list([...(value as Set<unknown>)], inner, (all) => `new Set([${all}])`)
    case 'Date':
      return `new Date(${Number(value)})`
    case 'Object':
      return list(
        Object.entries(value),
        ([key, one]) => {
          const text = inner(one)
          return text === null ? null : `[${JSON.stringify(key)}]: ${text}`
        },
        (all) => `{ ${all} }`,
      )
    default:
      return null
  }
}

function list<T>(
  values: readonly T[],
  write: (value: T) => string | null,
  join: (all: string) => string,
): string | null {
  const written = values.map(write)
  return written.includes(null) ? null : join(written.join(', '))
}
