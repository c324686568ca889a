import type { Random, Scenario } from '../../../held-out.ts'
import * as bricks from '../schema-validator.ts'

type Schema = bricks.Schema<unknown>

/** A schema and something that makes values for it, most of which pass. */
type Made = { schema: Schema; value: () => unknown }

const KEYS = ['a', 'b', 'é😀', '', '0', '7', 'toString', 'constructor', '__proto__', 'valueOf']
const STRAYS = [undefined, null, true, 0, '', '1', 7n, Symbol('stray'), [], {}, [[]]]
const NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, -0.5]

/** Random schemas, and values that fit them, nearly fit them or come from somewhere else. */
export const scenario: Scenario = ({ random, record }) => {
  for (let round = 0; round < 90; round++) {
    const { schema, value } = someSchema(random, 0)
    record('expected', schema.expected)
    for (let index = 0; index < 4; index++) {
      const given = random.chance(0.06) ? stray(random) : value()
      const before = look(given)
      record(
        'result',
        shown(schema.validate(random.chance(0.3) ? deepFreeze(given) : given), given),
      )
      record('unchanged', look(given) === before)
    }
  }
  record('prototypes', Object.keys(Object.prototype))
}

/** The parts of a result, with the order of the keys and what is new in the value. */
function shown(result: bricks.Result<unknown>, given: unknown): unknown {
  if (result.ok) return [result.value, ...news(result.value, given)]
  return result.issues.map(({ path, expected, received }) => [path, expected, received])
}

function news(value: unknown, given: unknown): unknown[] {
  if (!isContainer(value) || !isContainer(given)) return []
  const keys = Object.keys(value)
  const kind = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  const inner = keys.flatMap((key) => (key in given ? news(value[key], given[key]) : ['new key']))
  return [keys, kind, value === given, ...inner]
}

function someSchema(random: Random, depth: number): Made {
  if (depth > 2 || random.chance(0.25 * depth)) return someLeaf(random)
  const kind = random.int(0, 5)
  if (kind === 0) return someArray(random, depth)
  if (kind === 1) return someUnion(random, depth)
  if (kind === 2) {
    const { schema, value } = someSchema(random, depth + 1)
    return {
      schema: bricks.optional(schema),
      value: () => (random.chance(0.2) ? undefined : value()),
    }
  }
  return someObject(random, depth)
}

function someLeaf(random: Random): Made {
  const constant = random.pick(['a', 'b"', '1', '', 0, 1, -2.5, true, false, null])
  const made = random.pick<Made>([
    { schema: bricks.string(), value: () => random.text('ab1é😀', 0, 4) },
    { schema: bricks.number(), value: () => random.pick([random.int(-9, 9), ...NUMBERS]) },
    { schema: bricks.boolean(), value: () => random.chance(0.5) },
    { schema: bricks.literal(constant), value: () => constant },
  ])
  return { ...made, value: () => (random.chance(0.15) ? stray(random) : made.value()) }
}

function someArray(random: Random, depth: number): Made {
  const { schema, value } = someSchema(random, depth + 1)
  const make = (): unknown => {
    if (random.chance(0.05)) return random.pick([{ length: 0 }, { 0: 'a', length: 1 }, 'ab'])
    const made = random.list(0, 4, value)
    // A hole, with something after it.
    if (random.chance(0.2)) made[made.length + 1] = value()
    return made
  }
  return { schema: bricks.array(schema), value: make }
}

function someUnion(random: Random, depth: number): Made {
  const options = random.list(1, 3, () => someSchema(random, depth + 1))
  const schema = bricks.union(...options.map((option) => option.schema))
  return { schema, value: () => random.pick(options).value() }
}

function someObject(random: Random, depth: number): Made {
  const keys = random.shuffle(KEYS).slice(0, random.int(0, 4))
  const parts = keys.map((key): [string, Made] => {
    const made = someSchema(random, depth + 1)
    return [key, random.chance(0.3) ? { ...made, schema: bricks.optional(made.schema) } : made]
  })
  const shape = fromEntries(
    random.chance(0.1) ? { b: bricks.string() } : Object.prototype,
    parts.map(([key, { schema }]): [string, Schema] => [key, schema]),
  )
  const policy = random.pick([undefined, 'strip', 'reject', 'keep'] as const)
  const schema = policy ? bricks.object(shape, { unknownKeys: policy }) : bricks.object(shape)
  return { schema, value: () => someMembers(random, parts) }
}

/** Members in any order, some of them missing, inherited or not known to the shape. */
function someMembers(random: Random, parts: readonly [string, Made][]): unknown {
  if (random.chance(0.04)) return random.pick([[], ['a'], null, 'a'])
  const missing = random.pick([0, 0, 0.2])
  const entries = parts
    .filter(() => !random.chance(missing))
    .map(([key, { value }]): [string, unknown] => [key, value()])
  if (random.chance(0.4)) entries.push([random.pick(KEYS), stray(random)])
  if (random.chance(0.2)) entries.push([random.pick(['x', 'y']), { z: random.int(0, 9) }])
  return fromEntries(
    random.pick([Object.prototype, Object.prototype, null, { a: 'inherited', b: 1 }]),
    random.shuffle(entries),
  )
}

function fromEntries<T>(prototype: object | null, entries: [string, T][]): Record<string, T> {
  const made = Object.create(prototype) as Record<string, T>
  for (const [key, value] of entries) {
    Object.defineProperty(made, key, {
      ...{ value, writable: true },
      ...{ enumerable: true, configurable: true },
    })
  }
  return made
}

function stray(random: Random): unknown {
  return random.pick([...STRAYS, ...NUMBERS, random.int(0, 9), random.text('ab', 0, 2)])
}

function look(value: unknown): string {
  const plain = (_key: string, part: unknown) =>
    typeof part === 'bigint' || typeof part === 'symbol' ? typeof part : part
  return JSON.stringify(value, plain) ?? 'undefined'
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function deepFreeze(value: unknown): unknown {
  if (isContainer(value)) for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
