import type { Random, Scenario } from '../../../held-out.ts'
import { getPath, setPath } from '../object-path.ts'

type Get = (root: unknown, path: string) => unknown
type Set = (root: unknown, path: string, value: unknown) => unknown

// Paths and data need not fit together here, so the types are left aside.
const get = getPath as unknown as Get
const set = setPath as unknown as Set

const NAMES = ['a', 'b', 'é😀', 'x y', '01', '0', '1', '2', '10', 'length']
const INHERITED = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf', 'map']
const NO_INDICES = ['01', '00', '-0', '-1', '+1', ' 1', '1x', '1e0', '0x1', 'length', 'map']
const ENDS = [undefined, null, 0, -0, '', 'text', false, true, Number.NaN, 1.5, -7]

/** Reads and copies of random data along paths that fit it, nearly fit it or do not fit at all. */
export const scenario: Scenario = (context) => {
  for (let round = 0; round < 40; round++) read(context)
  for (let round = 0; round < 150; round++) write(context)
  for (let round = 0; round < 12; round++) refusePrototypes(context)
}

const read: Scenario = ({ random, record }) => {
  const root = random.chance(0.1) ? someEnd(random) : someData(random, 0)
  for (let index = 0; index < 5; index++) {
    const path = somePath(random, root)
    if (random.chance(0.15)) path.push(random.pick(['__proto__', 'length', ...INHERITED]))
    record(`get ${path.join('.')}`, get(root, path.join('.')))
  }
  const named = JSON.parse(`{"__proto__": {"a": ${random.int(0, 99)}}}`)
  record('an own property of that name', get(named, '__proto__.a'))
}

const write: Scenario = ({ random, record, attempt }) => {
  const root = random.chance(0.4) ? deepFreeze(someData(random, 0)) : someData(random, 0)
  const before = JSON.stringify(root)
  const path = somePath(random, root)
  const text = path.join('.')
  const value = random.chance(0.25) ? get(root, text) : random.pick([someEnd(random), {}, [1]])
  const result = attempt(`set ${text}`, () => set(root, text, value), errorClass)
  record('unchanged', JSON.stringify(root) === before)
  if (result === undefined) return
  record('same', [result === root, Object.is(get(result, text), value), keysAlong(result, path)])
  record('shared', sharedAlong(root, result, path))
}

/** No prototype changes, wherever the name stands in a path. */
const refusePrototypes: Scenario = ({ random, record, attempt }) => {
  const root = { a: { b: someData(random, 2) }, c: someEnd(random) }
  const path = random.pick([['a'], ['a', 'b'], ['new'], []])
  path.splice(random.int(0, path.length), 0, '__proto__')
  if (random.chance(0.5)) path.push(random.pick(NAMES.slice(0, 4)))
  attempt(path.join('.'), () => set(root, path.join('.'), random.int(0, 9)), errorClass)
  record('prototype', [Object.getPrototypeOf(root.a) === Object.prototype, root])
  const name = random.pick(INHERITED)
  const changed = attempt(name, () => set(root, `${name}.prototype.${name}`, 1), errorClass)
  record('an own property', [Object.hasOwn(changed as object, name), Object.hasOwn(root, name)])
}

function errorClass(error: unknown): string {
  return error instanceof TypeError ? 'TypeError' : `RangeError ${error instanceof RangeError}`
}

function someEnd(random: Random): unknown {
  return random.chance(0.1) ? () => 1 : random.pick([...ENDS, random.int(0, 99)])
}

function someData(random: Random, depth: number): unknown {
  const make = (): unknown =>
    random.chance(0.6 - depth * 0.15) ? someData(random, depth + 1) : someEnd(random)
  if (random.chance(0.05)) return random.list(11, 12, () => someEnd(random))
  if (random.chance(0.4)) return random.list(0, 4, make)
  const names = random.shuffle([...NAMES, ...INHERITED]).slice(0, random.int(0, 5))
  return Object.fromEntries(names.map((name) => [name, make()]))
}

/** Follows the data for a while and leaves it at random, often just beside what is there. */
function somePath(random: Random, root: unknown): string[] {
  const path: string[] = []
  let current = root
  do {
    const key = someKey(random, current)
    path.push(key)
    current = get(current, key)
  } while (random.chance(isContainer(current) ? 0.85 : 0.3) && path.length < 7)
  return path
}

function someKey(random: Random, holder: unknown): string {
  if (random.chance(0.1)) return random.pick([...NAMES, ...INHERITED])
  if (Array.isArray(holder)) {
    if (random.chance(0.12)) return random.pick(NO_INDICES)
    return `${random.int(0, holder.length + (random.chance(0.2) ? 2 : 0))}`
  }
  const own = isContainer(holder) ? Object.keys(holder) : []
  if (own.length > 0 && random.chance(0.8)) return random.pick(own)
  return random.pick(['0', '0', '0', '1', 'a', 'new', random.text('abc01', 1, 3)])
}

function keysAlong(result: unknown, path: readonly string[]): unknown[] {
  return path.map((_, index) => {
    const holder = index === 0 ? result : get(result, path.slice(0, index).join('.'))
    return isContainer(holder) ? [Array.isArray(holder), Object.keys(holder).sort()] : 'no holder'
  })
}

/** For every holder along the path: is it the same one, and are its other parts the same? */
function sharedAlong(root: unknown, result: unknown, path: readonly string[]): unknown[] {
  const shared: unknown[] = []
  let [old, now] = [root, result]
  for (const key of path) {
    if (!isContainer(old) || !isContainer(now)) break
    const [left, right] = [old, now]
    const others = Object.keys(left).filter((other) => other !== key)
    shared.push([left === right, others.every((other) => Object.is(left[other], right[other]))])
    old = Object.hasOwn(left, key) ? left[key] : undefined
    now = Object.hasOwn(right, key) ? right[key] : undefined
  }
  return shared
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function deepFreeze(value: unknown): unknown {
  if (isContainer(value)) for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
