export interface Package {
  readonly name: string
  /** Names that must be installed before this package. */
  readonly requires?: readonly string[]
  /** Names that must be installed before this package, if the manifest has them at all. */
  readonly optional?: readonly string[]
}

export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError'
  readonly missing: string
  readonly requiredBy: readonly string[]

  constructor(missing: string, requiredBy: readonly string[]) {
    const askers = requiredBy.length > 0 ? ` (required by ${requiredBy.join(', ')})` : ''
    super(`Missing package: ${missing}${askers}`)
    this.missing = missing
    this.requiredBy = requiredBy
  }
}

export class DependencyCycleError extends Error {
  override readonly name = 'DependencyCycleError'
  readonly cycle: readonly string[]

  constructor(cycle: readonly string[]) {
    super(`Dependency cycle: ${cycle.join(' -> ')}`)
    this.cycle = cycle
  }
}

/** Packages are known by their position in the manifest: it is also their priority. */
type Position = number
type Edges = ReadonlyMap<Position, readonly Position[]>

export function resolveInstallOrder(
  manifest: readonly Package[],
  targets?: readonly string[],
): string[] {
  const positions = indexByName(manifest)
  const needed = selectNeeded(manifest, positions, targets)
  refuseMissing(manifest, positions, needed)

  const dependencies: Edges = new Map(
    needed.map((position) => [position, dependenciesOf(manifest[position], positions)]),
  )
  const order = sortByDependencies(dependencies)
  if (order.length < needed.length) {
    const cycle = findFirstCycle(needed, dependencies, new Set(order))
    throw new DependencyCycleError(cycle.map((position) => manifest[position].name))
  }
  return order.map((position) => manifest[position].name)
}

function indexByName(manifest: readonly Package[]): Map<string, Position> {
  const positions = new Map<string, Position>()
  manifest.forEach(({ name }, position) => {
    if (positions.has(name)) throw new Error(`Duplicate package: ${name}`)
    positions.set(name, position)
  })
  return positions
}

/** The positions of the dependencies that the manifest has, each once, in the order listed. */
function dependenciesOf(pkg: Package, positions: ReadonlyMap<string, Position>): Position[] {
  const names = new Set([...(pkg.requires ?? []), ...(pkg.optional ?? [])])
  return [...names].map((name) => positions.get(name)).filter((position) => position !== undefined)
}

function selectNeeded(
  manifest: readonly Package[],
  positions: ReadonlyMap<string, Position>,
  targets: readonly string[] | undefined,
): Position[] {
  if (targets === undefined) return manifest.map((_, position) => position)

  const unknown = targets.find((target) => !positions.has(target))
  const found = new Set(
    targets.map((target) => positions.get(target)).filter((position) => position !== undefined),
  )
  // A set that grows while it is walked visits its new members too.
  for (const position of found) {
    for (const dependency of dependenciesOf(manifest[position], positions)) found.add(dependency)
  }
  const needed = [...found].sort((a, b) => a - b)

  if (unknown !== undefined) {
    throw new MissingPackageError(unknown, findAskers(manifest, needed, unknown))
  }
  return needed
}

function refuseMissing(
  manifest: readonly Package[],
  positions: ReadonlyMap<string, Position>,
  needed: readonly Position[],
): void {
  for (const position of needed) {
    const missing = manifest[position].requires?.find((name) => !positions.has(name))
    if (missing !== undefined) {
      throw new MissingPackageError(missing, findAskers(manifest, needed, missing))
    }
  }
}

function findAskers(
  manifest: readonly Package[],
  needed: readonly Position[],
  missing: string,
): string[] {
  return needed
    .map((position) => manifest[position])
    .filter(({ requires }) => requires?.includes(missing))
    .map(({ name }) => name)
}

/** Leaves out whatever lies on a cycle or depends on one. */
function sortByDependencies(dependencies: Edges): Position[] {
  const dependents = reverseEdges(dependencies)
  const waitingFor = new Map([...dependencies].map(([position, { length }]) => [position, length]))
  const ready = new LowestFirst()
  for (const [position, count] of waitingFor) if (count === 0) ready.push(position)

  const order: Position[] = []
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    order.push(next)
    for (const dependent of dependents.get(next) ?? []) {
      const count = (waitingFor.get(dependent) ?? 0) - 1
      waitingFor.set(dependent, count)
      if (count === 0) ready.push(dependent)
    }
  }
  return order
}

function reverseEdges(edges: Edges): Map<Position, Position[]> {
  const reversed = new Map<Position, Position[]>()
  for (const [from, ends] of edges) {
    for (const to of ends) {
      const starts = reversed.get(to)
      if (starts) starts.push(from)
      else reversed.set(to, [from])
    }
  }
  return reversed
}

function findFirstCycle(
  needed: readonly Position[],
  dependencies: Edges,
  installed: ReadonlySet<Position>,
): Position[] {
  for (const start of needed) {
    if (installed.has(start)) continue
    const cycle = findShortestWayBack(start, dependencies)
    if (cycle) return cycle
  }
  throw new Error('Packages that cannot be ordered must contain a cycle')
}

/** Breadth first, so that the first way back to the start is the shortest. */
function findShortestWayBack(start: Position, dependencies: Edges): Position[] | undefined {
  const reachedFrom = new Map<Position, Position | undefined>([[start, undefined]])
  for (const position of reachedFrom.keys()) {
    for (const dependency of dependencies.get(position) ?? []) {
      if (dependency === start) return [...traceBack(position, reachedFrom), start]
      if (!reachedFrom.has(dependency)) reachedFrom.set(dependency, position)
    }
  }
  return undefined
}

function traceBack(
  end: Position,
  reachedFrom: ReadonlyMap<Position, Position | undefined>,
): Position[] {
  const way: Position[] = []
  for (let at: Position | undefined = end; at !== undefined; at = reachedFrom.get(at)) way.push(at)
  return way.reverse()
}

/** A binary heap of positions. */
class LowestFirst {
  readonly #heap: Position[] = []

  push(position: Position): void {
    const heap = this.#heap
    let child = heap.push(position) - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (heap[parent] <= heap[child]) break
      this.#swap(parent, child)
      child = parent
    }
  }

  pop(): Position | undefined {
    const heap = this.#heap
    if (heap.length < 2) return heap.pop()
    this.#swap(0, heap.length - 1)
    const lowest = heap.pop()
    let parent = 0
    for (;;) {
      const left = 2 * parent + 1
      const right = left + 1
      if (left >= heap.length) break
      const smaller = right < heap.length && heap[right] < heap[left] ? right : left
      if (heap[parent] <= heap[smaller]) break
      this.#swap(parent, smaller)
      parent = smaller
    }
    return lowest
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const kept = heap[a]
    heap[a] = heap[b]
    heap[b] = kept
  }
}
