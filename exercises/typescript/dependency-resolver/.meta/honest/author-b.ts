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
    const reason = requiredBy.length > 0 ? ` (required by ${requiredBy.join(', ')})` : ''
    super(`Missing package: ${missing}${reason}`)
    this.name = 'MissingPackageError'
    this.missing = missing
    this.requiredBy = requiredBy
  }
}

export class DependencyCycleError extends Error {
  readonly cycle: readonly string[]

  constructor(cycle: readonly string[]) {
    super(`Dependency cycle: ${cycle.join(' -> ')}`)
    this.name = 'DependencyCycleError'
    this.cycle = cycle
  }
}

/** A package as a number: its place in the manifest, which is also its rank among those that are ready. */
type Place = number

/** The places that each package depends on, or that depend on it. */
type Edges = readonly (readonly Place[])[]

export function resolveInstallOrder(
  manifest: readonly Package[],
  targets?: readonly string[],
): string[] {
  const places = placesOf(manifest)
  const dependencies: Edges = manifest.map((each) => present(places, wantedBy(each)))
  const roots = targets === undefined ? [...manifest.keys()] : present(places, targets)
  const chosen = [...reachable(dependencies, roots)].sort((left, right) => left - right)

  checkMissing(manifest, places, chosen, targets ?? [])
  const order = installOrder(dependencies, chosen)
  if (order.length < chosen.length) {
    const cycle = firstCycle(dependencies, chosen)
    throw new DependencyCycleError(cycle.map((place) => manifest[place].name))
  }
  return order.map((place) => manifest[place].name)
}

function placesOf(manifest: readonly Package[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  manifest.forEach(({ name }, place) => {
    if (places.has(name)) throw new Error(`Duplicate package: ${name}`)
    places.set(name, place)
  })
  return places
}

/** Each name once, required ones first. */
function wantedBy({ requires = [], optional = [] }: Package): readonly string[] {
  return [...new Set([...requires, ...optional])]
}

function present(places: ReadonlyMap<string, Place>, names: readonly string[]): Place[] {
  return names.flatMap((name) => places.get(name) ?? [])
}

function checkMissing(
  manifest: readonly Package[],
  places: ReadonlyMap<string, Place>,
  chosen: readonly Place[],
  targets: readonly string[],
): void {
  const packages = chosen.map((place) => manifest[place])
  const wanted = [targets, ...packages.map(({ requires = [] }) => requires)]
  for (const names of wanted) {
    const missing = names.find((name) => !places.has(name))
    if (missing === undefined) continue
    const requiredBy = packages.filter(({ requires = [] }) => requires.includes(missing))
    throw new MissingPackageError(missing, requiredBy.map(({ name }) => name))
  }
}

// Order

/** Ends early if there is a cycle. */
function installOrder(dependencies: Edges, chosen: readonly Place[]): Place[] {
  const dependents = reversed(dependencies, chosen)
  const waitingFor = dependencies.map((places) => places.length)
  const ready = new MinHeap()
  chosen.filter((place) => waitingFor[place] === 0).forEach((place) => ready.push(place))

  const order: Place[] = []
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    order.push(next)
    for (const dependent of dependents[next]) {
      waitingFor[dependent] -= 1
      if (waitingFor[dependent] === 0) ready.push(dependent)
    }
  }
  return order
}

function reversed(edges: Edges, chosen: readonly Place[]): Edges {
  const result: Place[][] = edges.map(() => [])
  for (const place of chosen) {
    for (const target of edges[place]) result[target].push(place)
  }
  return result
}

class MinHeap {
  readonly #items: number[] = []

  push(item: number): void {
    const items = this.#items
    let index = items.length
    for (let parent = (index - 1) >> 1; index > 0 && items[parent] > item; parent = (index - 1) >> 1) {
      items[index] = items[parent]
      index = parent
    }
    items[index] = item
  }

  pop(): number | undefined {
    const items = this.#items
    const top = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return top
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const child = items[left + 1] < items[left] ? left + 1 : left
      if (child >= items.length || items[child] >= last) break
      items[index] = items[child]
      index = child
    }
    items[index] = last
    return top
  }
}

// Cycles

/** The places that can be reached from the roots, which are among them. */
function reachable(edges: Edges, roots: readonly Place[]): ReadonlySet<Place> {
  const found = new Set(roots)
  // The set grows while it is walked along.
  for (const place of found) {
    for (const next of edges[place]) found.add(next)
  }
  return found
}

/** There must be one. */
function firstCycle(dependencies: Edges, chosen: readonly Place[]): Place[] {
  const component = components(dependencies, chosen)
  const start = chosen.find((place) =>
    dependencies[place].some(
      (next) => next === place || component.get(next) === component.get(place),
    ),
  ) as Place
  return shortestWayAround(dependencies, start)
}

/**
 * Packages belong to the same component if each of them depends on the other, directly or not.
 * Dependents are finished after what they depend on, so going back from the last one that was
 * finished, and along the reversed edges, one component after the other is collected.
 */
function components(dependencies: Edges, chosen: readonly Place[]): ReadonlyMap<Place, Place> {
  const dependents = reversed(dependencies, chosen)
  const component = new Map<Place, Place>()
  for (const root of finishingOrder(dependencies, chosen).reverse()) {
    if (component.has(root)) continue
    component.set(root, root)
    const open = [root]
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      for (const next of dependents[place]) {
        if (component.has(next)) continue
        component.set(next, root)
        open.push(next)
      }
    }
  }
  return component
}

/** The order in which a search in depth leaves the packages. */
function finishingOrder(dependencies: Edges, chosen: readonly Place[]): Place[] {
  const entered = new Set<Place>()
  const finished: Place[] = []
  for (const root of chosen) {
    if (entered.has(root)) continue
    entered.add(root)
    const path = [{ place: root, done: 0 }]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = dependencies[top.place][top.done++]
      if (next === undefined) {
        finished.push(top.place)
        path.pop()
      } else if (!entered.has(next)) {
        entered.add(next)
        path.push({ place: next, done: 0 })
      }
    }
  }
  return finished
}

/** A search in breadth finds each package first on the way whose steps are listed first. */
function shortestWayAround(dependencies: Edges, start: Place): Place[] {
  const reachedFrom = new Map<Place, Place>()
  const queue = [start]
  for (const place of queue) {
    for (const next of dependencies[place]) {
      if (reachedFrom.has(next)) continue
      reachedFrom.set(next, place)
      if (next === start) return wayBack(reachedFrom, start)
      queue.push(next)
    }
  }
  return []
}

function wayBack(reachedFrom: ReadonlyMap<Place, Place>, start: Place): Place[] {
  const way = [start]
  let place = start
  do {
    place = reachedFrom.get(place) as Place
    way.push(place)
  } while (place !== start)
  return way.reverse()
}
