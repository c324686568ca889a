import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { deepMerge } from '../deep-merge.ts'

type Plain = Record<string, unknown>

const NAMES = [
  'a',
  'b',
  'c',
  '1',
  '0',
  '',
  'constructor',
  'toString',
  'hasOwnProperty',
  'é',
  'length',
]

class Point {
  x = 1
  a = { b: 2 }
}

/** Objects that are neither copied nor merged. */
function special(random: Random): unknown {
  return random.pick([
    () => new Point(),
    () => Object.assign(new Point(), { a: random.int(0, 9) }),
    () => new Date(random.int(0, 1e12)),
    () => new Map([['a', random.int(0, 9)]]),
    () => new Set([random.int(0, 9)]),
    () => /a/g,
    () => Object.assign(() => 1, { a: 1 }),
    () => new Uint8Array(2),
    () => Object.create({ a: 1 }) as unknown,
    () => new Error('a'),
  ])()
}

function leaf(random: Random): unknown {
  if (random.chance(0.2)) return special(random)
  if (random.chance(0.2)) return undefined
  return random.pick([
    null,
    0,
    '',
    false,
    random.int(0, 99),
    `${random.int(0, 99)}`,
    5n,
    Number.NaN,
  ])
}

function value(random: Random, depth: number): unknown {
  if (depth > 2 || random.chance(0.3)) return leaf(random)
  if (random.chance(0.35)) return random.list(0, 3, () => value(random, depth + 1))
  return plain(random, depth + 1)
}

function plain(random: Random, depth = 0): Plain {
  const object = (random.chance(0.15) ? Object.create(null) : {}) as Plain
  const names = random.shuffle(NAMES).slice(0, random.int(0, depth === 0 ? 5 : 3))
  for (const name of names) object[name] = value(random, depth)
  if (random.chance(0.15)) define(object, '__proto__', value(random, depth), true)
  if (random.chance(0.1)) define(object, random.pick(NAMES), random.int(0, 9), false)
  if (random.chance(0.1)) Object.assign(object, { [Symbol('name')]: 1 })
  return object
}

function define(object: Plain, name: string, given: unknown, enumerable: boolean): void {
  const rest = { writable: true, configurable: true, enumerable }
  Object.defineProperty(object, name, { value: given, ...rest })
}

/** Everything that is promised about a value: names in order, prototypes, and which objects are the very same. */
class Look {
  readonly #known = new Map<unknown, number>()

  /** Numbers all objects in a value, so that they are recognised again. */
  learn(given: unknown): void {
    if (!isObject(given) || this.#known.has(given)) return
    this.#known.set(given, this.#known.size)
    if (isContainer(given)) for (const child of childrenOf(given)) this.learn(child)
  }

  at(given: unknown): unknown {
    if (!isObject(given)) return given
    const known = this.#known.get(given) ?? 'new'
    if (!isContainer(given)) return ['special', known]
    if (Array.isArray(given))
      return ['array', known, given.length, given.map((one) => this.at(one))]
    const names = Reflect.ownKeys(given).filter((name) => typeof name === 'string')
    const entries = names.map((name) => [name, this.at((given as Plain)[name])])
    const prototype: unknown = Object.getPrototypeOf(given)
    return [known, prototype === Object.prototype || prototype, entries]
  }
}

function isObject(given: unknown): given is object {
  return (typeof given === 'object' && given !== null) || typeof given === 'function'
}

function isContainer(given: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(given)
  return Array.isArray(given) || prototype === null || prototype === Object.prototype
}

function childrenOf(given: object): unknown[] {
  const names = Object.getOwnPropertyNames(given)
  return names.map((name) => Object.getOwnPropertyDescriptor(given, name)?.value as unknown)
}

/** An object that resembles another one, so that there is much to merge. */
function variant(random: Random, given: Plain): Plain {
  const other = plain(random)
  for (const name of Object.keys(given)) {
    if (name === '__proto__' || random.chance(0.35)) continue
    const counterpart = given[name]
    if (Array.isArray(counterpart) && random.chance(0.7)) {
      other[name] = random.list(0, 3, () => value(random, 2))
    } else if (isObject(counterpart) && isContainer(counterpart) && random.chance(0.8)) {
      other[name] = Array.isArray(counterpart) ? [] : variant(random, counterpart as Plain)
    } else other[name] = value(random, 2)
  }
  return other
}

/** Random pairs of objects, merged in every way, with a look at what is new and what is shared. */
export const scenario: Scenario = ({ random, attempt, record }: ScenarioContext) => {
  for (let round = 0; round < 50; round++) {
    const base = plain(random)
    const override = random.chance(0.9) ? variant(random, base) : plain(random)
    const look = new Look()
    look.learn(base)
    look.learn(override)
    const options = random.pick([
      undefined,
      {},
      { arrays: 'replace' },
      { arrays: 'concat' },
    ] as const)
    attempt(`${round}`, () => {
      const result: object = options
        ? deepMerge(base, override, options)
        : deepMerge(base, override)
      return ['merged', look.at(result)]
    })
    record('given', [look.at(base), look.at(override)])
  }
  record('untouched', [Object.keys(Object.prototype), ({} as Plain).a])
}
