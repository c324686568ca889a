import type { Notebook } from './notebook.ts'

type Run = (...given: unknown[]) => unknown
type Planned = { run: Run; row: readonly unknown[] }

const MOST_MS = 500

/** Test functions that play a test file for what it asks, not for whether it passes. */
export function createRehearsal(notebook: Notebook): { jest: object; play: () => Promise<void> } {
  const tests: Planned[] = []
  const before: Run[] = []
  const it = Object.assign(
    (_name: string, run?: Run) => void (run && tests.push({ run, row: [] })),
    {
      each: eachOf((run, row) => tests.push({ run, row })),
      skip: () => {},
      todo: () => {},
    },
  )
  const describe = Object.assign((_name: string, run: Run) => void run(), {
    each: eachOf((run, row) => run(...row)),
    skip: () => {},
  })
  const all = {
    it,
    test: it,
    xit: it,
    xtest: it,
    fit: it,
    describe,
    xdescribe: describe,
    fdescribe: describe,
  }
  const hooks = {
    beforeEach: (run: Run) => before.push(run),
    beforeAll: (run: Run) => before.push(run),
  }
  const jest = {
    ...all,
    ...hooks,
    afterEach: () => {},
    afterAll: () => {},
    expect: Object.assign((value: unknown) => createExpectation(value, notebook), EXPECT),
    jest: {
      fn: (run?: Run) =>
        Object.assign((...given: unknown[]) => run?.(...given), { mock: { calls: [] } }),
    },
  }
  const play = async () => {
    for (const test of tests) {
      for (const hook of before) await quietly(hook, [])
      await quietly(test.run, test.row)
    }
  }
  return { jest, play }
}

const matcher = () => ({ asymmetricMatch: () => true })
const EXPECT = {
  any: matcher,
  anything: matcher,
  objectContaining: matcher,
  arrayContaining: matcher,
  stringContaining: matcher,
  stringMatching: matcher,
  closeTo: matcher,
  extend: () => {},
  assertions: () => {},
  hasAssertions: () => {},
}

function eachOf(plan: (run: Run, row: readonly unknown[]) => void) {
  return (rows: readonly unknown[]) => (_name: string, run: Run) => {
    for (const row of rows) plan(run, Array.isArray(row) ? row : [row])
  }
}

/** A test may fail, throw or hang: what it asked until then is what there is to learn. */
async function quietly(run: Run, row: readonly unknown[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, MOST_MS)
  })
  try {
    await Promise.race([run(...row), late])
  } catch {
    // It asked for more than a token is.
  } finally {
    clearTimeout(timer)
  }
}

const SAME = ['toBe', 'toEqual', 'toStrictEqual', 'toBeCloseTo', 'toMatchObject'] as const
const CONSTANTS: Readonly<Record<string, unknown>> = {
  toBeTruthy: true,
  toBeFalsy: false,
  toBeNull: null,
  toBeUndefined: undefined,
  toBeNaN: Number.NaN,
}

/** Notes what is wanted and never complains. */
function createExpectation(value: unknown, notebook: Notebook): object {
  const wants = (wanted: unknown) => notebook.expectValue(value, wanted)
  const known: Record<string, unknown> = {}
  for (const name of SAME) known[name] = wants
  for (const [name, constant] of Object.entries(CONSTANTS)) known[name] = () => wants(constant)
  const throws = (wanted?: unknown) => {
    const from = notebook.length
    try {
      ;(value as Run)()
    } catch {
      // The stub throws nothing: something on the way did.
    }
    notebook.expectThrow(from, wanted)
  }
  known.toThrow = throws
  known.toThrowError = throws
  return new Proxy(known, {
    get: (target, key) => {
      if (key === 'then') return undefined
      if (key === 'resolves') return createExpectation(value, notebook)
      if (key === 'not' || key === 'rejects')
        return new Proxy({}, { get: (_, name) => denied(name, value) })
      return target[key as string] ?? (() => undefined)
    },
  })
}

/** `not.toThrow` still makes its call; other denials say nothing about a value. */
function denied(name: string | symbol, value: unknown): unknown {
  if (name === 'then') return undefined
  return () => {
    if (name === 'toThrow' || name === 'toThrowError') (value as Run)()
  }
}
