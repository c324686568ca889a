import { eachTitle, templateRows } from './each-title.ts'
import { nullObject } from './null-object.ts'
import {
  type Callable,
  createGroup,
  type Group,
  type HookKind,
  type TestMode,
} from './test-tree.ts'

type Collector = { group: Group; open: boolean }
type TestOptions = { mode: TestMode; only: boolean; inverted: boolean }
type GroupOptions = { skipped: boolean; only: boolean }
type Title = string | number | ((...given: never[]) => unknown) | undefined
type Register = (
  title: Title,
  run: Callable | undefined,
  row: readonly unknown[] | null,
  timeoutMs?: number,
) => void

const PLAIN: TestOptions = { mode: 'run', only: false, inverted: false }

/**
 * jest's describe, it and hooks. `xit`, `xtest` and `xdescribe` run like `it` and `describe` (the track marks with
 * them what a student meets later); `.skip` stays off.
 */
export function createTestApi(root: Group): { api: Record<string, unknown>; close: () => void } {
  const collector: Collector = nullObject({ group: root, open: true })
  const it = testFunction(collector, PLAIN)
  const describe = describeFunction(collector, { skipped: false, only: false })
  const only = testFunction(collector, { ...PLAIN, only: true })
  const fdescribe = describeFunction(collector, { skipped: false, only: true })
  const skip = testFunction(collector, { ...PLAIN, mode: 'skip' })
  const failing = testFunction(collector, { ...PLAIN, inverted: true })
  const todo = (title: Title): void =>
    addTest(collector, { ...PLAIN, mode: 'todo' })(title, () => undefined, null)
  Object.assign(it, {
    only,
    skip,
    failing,
    todo,
    concurrent: Object.assign(testFunction(collector, PLAIN), { only, skip }),
  })
  Object.assign(only, {
    failing: testFunction(collector, { ...PLAIN, only: true, inverted: true }),
  })
  Object.assign(describe, {
    only: fdescribe,
    skip: describeFunction(collector, { skipped: true, only: false }),
  })
  const api = {
    describe,
    xdescribe: describe,
    fdescribe,
    it,
    test: it,
    xit: it,
    xtest: it,
    fit: only,
    beforeAll: hookFunction(collector, 'beforeAll'),
    beforeEach: hookFunction(collector, 'beforeEach'),
    afterEach: hookFunction(collector, 'afterEach'),
    afterAll: hookFunction(collector, 'afterAll'),
  }
  const close = (): void => {
    collector.open = false
  }
  return { api, close }
}

function titleText(title: Title): string {
  return typeof title === 'function' ? title.name : String(title)
}

function addTest(collector: Collector, options: TestOptions): Register {
  return (title, run, row, timeoutMs) => {
    if (!collector.open) throw new Error('Tests cannot be nested or added while tests run.')
    if (typeof run !== 'function')
      throw new TypeError(`The test "${titleText(title)}" has no function.`)
    const { group } = collector
    const fields = {
      name: titleText(title),
      parent: group,
      ...options,
      run,
      row,
      timeoutMs: timeoutMs ?? null,
    }
    group.children.push(nullObject(fields))
  }
}

function testFunction(collector: Collector, options: TestOptions): object {
  const register = addTest(collector, options)
  const plain = (title: Title, run?: Callable, timeoutMs?: number): void =>
    register(title, run, null, timeoutMs)
  return Object.assign(plain, { each: eachFunction(register) })
}

function describeFunction(collector: Collector, options: GroupOptions): object {
  const register: Register = (title, run, row) => {
    if (!collector.open) throw new Error('describe() cannot be called while tests run.')
    if (typeof run !== 'function')
      throw new TypeError(`describe "${titleText(title)}" has no function.`)
    const outer = collector.group
    collector.group = createGroup(titleText(title), outer, options)
    outer.children.push(collector.group)
    // A throw here is a throw of the whole file, as in jest.
    const returned = run.apply(undefined, [...(row ?? [])])
    collector.group = outer
    if (returned !== undefined && typeof (returned as { then?: unknown })?.then === 'function') {
      throw new Error('Returning a Promise from "describe" is not supported.')
    }
  }
  const plain = (title: Title, run?: Callable): void => register(title, run, null)
  return Object.assign(plain, { each: eachFunction(register) })
}

/** `each` over an array of rows, an array of single values, or a tagged template. */
function eachFunction(register: Register) {
  return (table: readonly unknown[] & { raw?: unknown }, ...values: unknown[]) => {
    const rows = 'raw' in table ? templateRows(table as readonly string[], values) : [...table]
    if (rows.length === 0) throw new Error('`.each` called with an empty table')
    return (title: Title, run: Callable, timeoutMs?: number): void => {
      rows.forEach((item, index) => {
        const row = Array.isArray(item) ? item : [item]
        register(eachTitle(titleText(title), row, index), run, row, timeoutMs)
      })
    }
  }
}

function hookFunction(collector: Collector, kind: HookKind) {
  return (run: Callable, timeoutMs?: number): void => {
    if (!collector.open) throw new Error(`${kind}() cannot be called while tests run.`)
    if (typeof run !== 'function') throw new TypeError(`${kind}() needs a function.`)
    collector.group.hooks[kind].push(nullObject({ run, timeoutMs: timeoutMs ?? null }))
  }
}
