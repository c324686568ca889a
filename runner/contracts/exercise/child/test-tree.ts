import { nullObject } from './null-object.ts'

export type Callable = (this: unknown, ...given: unknown[]) => unknown
export type Hook = { run: Callable; timeoutMs: number | null }
export type HookKind = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll'
export type TestMode = 'run' | 'skip' | 'todo'

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

/** Tests in the order in which they run. */
export function listTests(group: Group): TestNode[] {
  return group.children.flatMap((child) => (isGroup(child) ? listTests(child) : [child]))
}

function anyOnly(group: Group): boolean {
  return group.children.some((child) => child.only || (isGroup(child) && anyOnly(child)))
}

/** Which tests execute: jest's rules for `only` and `skip`; `first` keeps the first of them and drops the rest. */
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
