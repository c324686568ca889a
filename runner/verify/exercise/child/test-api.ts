import { format, inspect } from 'node:util'
import { format as prettyFormat } from 'pretty-format'
import { nullObject } from './findings.ts'

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
 * Creates jest's describe, it and hooks. `xit`, `xtest` and `xdescribe` run like `it` and `describe` (the track marks
 * with them what a student meets later); `.skip` stays off.
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
    // An exception here fails the whole file, as in jest.
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

export type Callable = (this: unknown, ...given: unknown[]) => unknown
export type Hook = { run: Callable; timeoutMs: number | null }
type HookKind = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll'
type TestMode = 'run' | 'skip' | 'todo'

export type TestNode = {
  name: string
  parent: Group
  mode: TestMode
  only: boolean
  /** `it.failing`: must fail. */
  inverted: boolean
  run: Callable
  /** Arguments of one `each` row; null for a plain test, whose first parameter is jest's `done`. */
  row: readonly unknown[] | null
  timeoutMs: number | null
}

export type Group = {
  name: string
  parent: Group | null
  skipped: boolean
  only: boolean
  children: (TestNode | Group)[]
  hooks: Record<HookKind, Hook[]>
}

export function createGroup(
  name: string,
  parent: Group | null,
  mode: { skipped: boolean; only: boolean },
): Group {
  const hooks = nullObject({ beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] })
  return nullObject({ name, parent, ...mode, children: [], hooks })
}

export const isGroup = (node: TestNode | Group): node is Group => 'children' in node

export function fullName(node: TestNode): string {
  let name = node.name
  for (let group: Group | null = node.parent; group; group = group.parent) {
    if (group.parent) name = `${group.name} > ${name}`
  }
  return name
}

/** Lists tests in the order they run. */
function listTests(group: Group): TestNode[] {
  return group.children.flatMap((child) => (isGroup(child) ? listTests(child) : [child]))
}

function anyOnly(group: Group): boolean {
  return group.children.some((child) => child.only || (isGroup(child) && anyOnly(child)))
}

/**
 * Selects the tests to execute: jest's rules for `only` and `skip`; `first` keeps the first of them and drops the rest.
 */
export function selectTests(
  root: Group,
  first: boolean,
): { selected: Set<TestNode>; skipped: TestNode[] } {
  const focused = anyOnly(root)
  const wanted = (test: TestNode): boolean => {
    let inFocus = test.only
    for (let group: Group | null = test.parent; group; group = group.parent) {
      if (group.skipped) return false
      inFocus ||= group.only
    }
    return test.mode === 'run' && (!focused || inFocus)
  }
  const all = listTests(root)
  const enabled = all.filter(wanted)
  const selected = new Set(first ? enabled.slice(0, 1) : enabled)
  return { selected, skipped: first ? [] : all.filter((test) => !selected.has(test)) }
}

const PLACEHOLDER = /%[sdifjoOp#%]/g
const pretty = (value: unknown): string => prettyFormat(value, { maxDepth: 1, min: true })

/** Formats the title of one row of `each`, by jest's rules: printf placeholders, %p, %#, and $name for object rows. */
export function eachTitle(title: string, row: readonly unknown[], index: number): string {
  const [first] = row
  const named =
    row.length === 1 && typeof first === 'object' && first !== null && !Array.isArray(first)
  const withNames = named ? fillNames(title, first as Record<string, unknown>, index) : title
  return fillPlaceholders(withNames, row, index)
}

function fillNames(title: string, row: Record<string, unknown>, index: number): string {
  return title.replace(/\$([A-Za-z_#][\w.]*)/g, (whole, path: string) => {
    if (path === '#') return String(index)
    const keys = path.split('.')
    if (!Object.hasOwn(row, keys[0] as string)) return whole
    const value = keys.reduce<unknown>(
      (inner, key) => (inner as Record<string, unknown> | null)?.[key],
      row,
    )
    return typeof value === 'string' ? value : pretty(value)
  })
}

function fillPlaceholders(title: string, row: readonly unknown[], index: number): string {
  let next = 0
  return title.replace(PLACEHOLDER, (mark) => {
    if (mark === '%%') return '%'
    if (mark === '%#') return String(index)
    if (next >= row.length) return mark
    const value = row[next++]
    if (mark === '%p') return pretty(value)
    return mark === '%o' || mark === '%O' ? inspect(value) : format(mark, value)
  })
}

/** Returns the rows of a tagged template: the heading names the fields of each row. */
export function templateRows(
  strings: readonly string[],
  values: readonly unknown[],
): Record<string, unknown>[] {
  const names =
    (strings[0] ?? '')
      .trim()
      .split('\n')[0]
      ?.split('|')
      .map((name) => name.trim()) ?? []
  const rows: Record<string, unknown>[] = []
  for (let start = 0; start < values.length; start += names.length) {
    rows.push(Object.fromEntries(names.map((name, column) => [name, values[start + column]])))
  }
  return rows
}
