import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import {
  DependencyCycleError,
  MissingPackageError,
  type Package,
  resolveInstallOrder,
} from '../dependency-resolver.ts'

const NAMES = 'a b c d e f g h constructor __proto__ toString 1 10 2 A é'.split(' ').concat('', ' ')

function describe(error: unknown): unknown {
  if (error instanceof MissingPackageError) {
    return [error.name, error.message, error.missing, error.requiredBy]
  }
  if (error instanceof DependencyCycleError) return [error.name, error.message, error.cycle]
  return error instanceof Error && error.message
}

/** Random manifests: sound ones, and ones with cycles, missing names and duplicates. */
export const scenario: Scenario = (context) => {
  const { random } = context
  for (let round = 0; round < 40; round++) resolve(context, layered(random))
  for (let round = 0; round < 70; round++) {
    const manifest = layered(random)
    for (let times = random.int(1, 3); times > 0; times--) spoil(random, manifest)
    resolve(context, manifest)
  }
  for (let round = 0; round < 35; round++) resolve(context, tangled(random))
  resolve(context, chain(random))
  for (let round = 0; round < 10; round++) resolve(context, wide(random))
}

function resolve({ random, attempt, record }: ScenarioContext, manifest: Package[]): void {
  const label = JSON.stringify(manifest.slice(0, 20))
  freezeAll(manifest)
  const run = (targets?: string[]): void => {
    attempt(`targets ${targets}`, () => resolveInstallOrder(manifest, targets), describe)
  }
  run()
  const names = manifest.map(({ name }) => name)
  const known = (): string => random.pick(names)
  run(random.list(0, 3, () => (names.length > 0 && random.chance(0.95) ? known() : 'missing')))
  if (names.length > 0) run([known()])
  if (random.chance(0.15))
    run(random.shuffle([known(), random.pick(['missing', 'x']), known(), 'y']))
  record(`manifest ${label}`, label === JSON.stringify(manifest.slice(0, 20)))
}

/** Nothing may be changed; whoever tries, fails. */
function freezeAll(manifest: Package[]): void {
  for (const one of manifest) {
    Object.freeze(one.requires)
    Object.freeze(one.optional)
    Object.freeze(one)
  }
  Object.freeze(manifest)
}

/** Without a cycle, in any order. */
function layered(random: Random): Package[] {
  const names = random.shuffle(NAMES).slice(0, random.int(1, 9))
  const manifest = names.map((name, index): Package => {
    const earlier = names.slice(0, index)
    const some = (share: number): string[] => earlier.filter(() => random.chance(share))
    return make(random, name, some(0.3), some(0.15))
  })
  return random.shuffle(manifest)
}

function make(random: Random, name: string, requires: string[], optional: string[]): Package {
  if (random.chance(0.15)) optional.push('missing')
  if (random.chance(0.1)) requires.push(...requires.slice(0, 1))
  if (random.chance(0.1)) optional.push(...requires.slice(0, 1))
  return {
    name,
    ...((requires.length > 0 || random.chance(0.3)) && { requires: random.shuffle(requires) }),
    ...((optional.length > 0 || random.chance(0.3)) && { optional: random.shuffle(optional) }),
  }
}

/** Adds a dependency on anything, a name that is missing, or a package that is there already. */
function spoil(random: Random, manifest: Package[]): void {
  const index = random.int(0, manifest.length - 1)
  const chosen = manifest[index] as Package
  const names = manifest.map(({ name }) => name)
  const kind = random.chance(0.7) ? 'requires' : 'optional'
  const share = random.int(0, 9)
  // Which of two different duplicates is reported is left open.
  if (share === 0 && new Set(names).size === names.length) {
    manifest.splice(random.int(0, names.length), 0, { name: chosen.name })
  } else {
    const name = share < 5 ? random.pick(names) : random.pick(['missing', 'missing', 'lost', 'x'])
    manifest[index] = { ...chosen, [kind]: random.shuffle([...(chosen[kind] ?? []), name]) }
  }
}

/** Full of cycles of all lengths. */
function tangled(random: Random): Package[] {
  const names = random.shuffle(NAMES).slice(0, random.int(2, 10))
  const some = (): string[] => random.list(0, random.pick([1, 2]), () => random.pick(names))
  return names.map((name) => make(random, name, some(), random.chance(0.6) ? some() : []))
}

/** Many packages that are ready at the same time, and some that become ready one after the other. */
function wide(random: Random): Package[] {
  const names = random.list(30, 60, (index) => `${index}`)
  const manifest = names.map((name, index): Package => {
    return { name, requires: random.list(0, Math.min(index, 2), () => random.pick(names.slice(0, index))) }
  })
  return random.shuffle(manifest)
}

function chain(random: Random): Package[] {
  const length = random.int(300, 400)
  const links = random.list(length, length, (index): Package => {
    return { name: `${index}`, requires: index > 0 ? [`${index - 1}`] : [] }
  })
  return random.shuffle(links)
}
