export interface Package {
  readonly name: string
  /** Names that must be installed before this package. */
  readonly requires?: readonly string[]
  /** Names that must be installed before this package, if the manifest has them at all. */
  readonly optional?: readonly string[]
}

export class MissingPackageError extends Error {
  readonly missing: string
  readonly requiredBy: readonly string[]

  constructor(missing: string, requiredBy: readonly string[]) {
    const origin = requiredBy.length > 0 ? ` (required by ${requiredBy.join(', ')})` : ''
    super(`Missing package: ${missing}${origin}`)
    this.name = 'MissingPackageError'
    this.missing = missing
    this.requiredBy = [...requiredBy]
  }
}

export class DependencyCycleError extends Error {
  readonly cycle: readonly string[]

  constructor(cycle: readonly string[]) {
    super(`Dependency cycle: ${cycle.join(' -> ')}`)
    this.name = 'DependencyCycleError'
    this.cycle = [...cycle]
  }
}

/** A heap that gives back its smallest number first. */
class MinHeap {
  readonly #items: number[] = []

  push(item: number): void {
    const items = this.#items
    let index = items.length
    items.push(item)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (items[parent]! <= item) break
      items[index] = items[parent]!
      index = parent
    }
    items[index] = item
  }

  pop(): number | undefined {
    const items = this.#items
    const top = items[0]
    const last = items.pop()
    if (top === undefined || last === undefined || items.length === 0) return top
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= items.length) break
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child++
      if (items[child]! >= last) break
      items[index] = items[child]!
      index = child
    }
    items[index] = last
    return top
  }
}

/** Packages are known by their index in the manifest. */
type Graph = readonly (readonly number[])[]

function indexByName(manifest: readonly Package[]): Map<string, number> {
  const indexes = new Map<string, number>()
  manifest.forEach(({ name }, index) => {
    if (indexes.has(name)) throw new Error(`Duplicate package: ${name}`)
    indexes.set(name, index)
  })
  return indexes
}

function selectPackages(
  dependencies: Graph,
  indexes: ReadonlyMap<string, number>,
  targets: readonly string[] | undefined,
): boolean[] {
  if (targets === undefined) return dependencies.map(() => true)
  const selected = dependencies.map(() => false)
  const open: number[] = []
  const select = (index: number): void => {
    if (selected[index]) return
    selected[index] = true
    open.push(index)
  }
  for (const target of targets) {
    const index = indexes.get(target)
    if (index !== undefined) select(index)
  }
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (const dependency of dependencies[index]!) select(dependency)
  }
  return selected
}

function findMissing(
  manifest: readonly Package[],
  selected: readonly boolean[],
  indexes: ReadonlyMap<string, number>,
  targets: readonly string[] | undefined,
): string | undefined {
  for (const target of targets ?? []) {
    if (!indexes.has(target)) return target
  }
  for (const [index, { requires = [] }] of manifest.entries()) {
    if (!selected[index]) continue
    for (const name of requires) {
      if (!indexes.has(name)) return name
    }
  }
  return undefined
}

/** The smallest index of a selected package that can reach itself, found by Tarjan's algorithm. */
function firstOnCycle(dependencies: Graph, selected: readonly boolean[]): number {
  let first = Infinity
  let counter = 0
  const order = dependencies.map(() => -1)
  const low = dependencies.map(() => 0)
  const onStack = dependencies.map(() => false)
  const stack: number[] = []

  const visit = (root: number): void => {
    const calls: { node: number; next: number }[] = []
    const enter = (node: number): void => {
      order[node] = low[node] = counter++
      stack.push(node)
      onStack[node] = true
      calls.push({ node, next: 0 })
    }
    enter(root)
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { node } = call
      const dependency = dependencies[node]![call.next++]
      if (dependency !== undefined) {
        if (dependency === node) first = Math.min(first, node)
        if (order[dependency] === -1) enter(dependency)
        else if (onStack[dependency]) low[node] = Math.min(low[node]!, order[dependency]!)
        continue
      }
      calls.pop()
      const parent = calls.at(-1)
      if (parent) low[parent.node] = Math.min(low[parent.node]!, low[node]!)
      if (low[node] !== order[node]) continue
      const component = stack.splice(stack.lastIndexOf(node))
      for (const member of component) {
        onStack[member] = false
        if (component.length > 1) first = Math.min(first, member)
      }
    }
  }

  selected.forEach((isSelected, node) => {
    if (isSelected && order[node] === -1) visit(node)
  })
  return first
}

/** The shortest way from a package back to itself. */
function walkAround(dependencies: Graph, dependents: Graph, start: number): number[] {
  const distance = dependencies.map(() => Infinity)
  distance[start] = 0
  const queue = [start]
  for (const node of queue) {
    for (const dependent of dependents[node]!) {
      if (distance[dependent] !== Infinity) continue
      distance[dependent] = distance[node]! + 1
      queue.push(dependent)
    }
  }

  const way = [start]
  let node = start
  do {
    let nearest: number | undefined
    for (const dependency of dependencies[node]!) {
      if (nearest === undefined || distance[dependency]! < distance[nearest]!) nearest = dependency
    }
    node = nearest ?? start
    way.push(node)
  } while (node !== start)
  return way
}

export function resolveInstallOrder(
  manifest: readonly Package[],
  targets?: readonly string[],
): string[] {
  const indexes = indexByName(manifest)
  const dependencies: Graph = manifest.map(({ requires = [], optional = [] }) =>
    [...new Set([...requires, ...optional])]
      .map((name) => indexes.get(name))
      .filter((index) => index !== undefined),
  )
  const selected = selectPackages(dependencies, indexes, targets)

  const missing = findMissing(manifest, selected, indexes, targets)
  if (missing !== undefined) {
    const requiredBy = manifest.filter(
      ({ requires = [] }, index) => selected[index] && requires.includes(missing),
    )
    throw new MissingPackageError(
      missing,
      requiredBy.map(({ name }) => name),
    )
  }

  const dependents: number[][] = manifest.map(() => [])
  const unmet = dependencies.map((list) => list.length)
  const ready = new MinHeap()
  let count = 0
  selected.forEach((isSelected, index) => {
    if (!isSelected) return
    count++
    for (const dependency of dependencies[index]!) dependents[dependency]!.push(index)
    if (unmet[index] === 0) ready.push(index)
  })

  const result: string[] = []
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    result.push(manifest[index]!.name)
    for (const dependent of dependents[index]!) {
      if (--unmet[dependent]! === 0) ready.push(dependent)
    }
  }
  if (result.length < count) {
    const way = walkAround(dependencies, dependents, firstOnCycle(dependencies, selected))
    throw new DependencyCycleError(way.map((index) => manifest[index]!.name))
  }
  return result
}
