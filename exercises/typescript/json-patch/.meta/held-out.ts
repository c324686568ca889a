import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { applyPatch, type Json, type Operation, PatchError } from '../json-patch.ts'

const KEYS = ['a', 'b', 'c', '', '0', '1', '01', '-', 'a/b', 'm~n', '~1', '~0', '/', 'é', 'length']
const SPECIAL_KEYS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '-1', '1.0', '1e0']
const BAD_POINTERS = ['a', 'a/b', '/~', '/~2', '/a~', '/a/~x/b', ' /a', '~0', '/b/~~0', '#/a', '0']
const OPS = ['add', 'add', 'remove', 'replace', 'move', 'move', 'copy', 'test'] as const

function describe(error: unknown): unknown {
  return error instanceof PatchError && [error.code, error.index, error instanceof Error]
}

/** Random patches, most of them possible, for random documents. */
export const scenario: Scenario = (context) => {
  const { random } = context
  for (let round = 0; round < 120; round++) play(context, value(random, 0), random.int(1, 4))
  for (let round = 0; round < 60; round++) {
    play(
      context,
      random.list(0, 5, (index) => index + 10),
      random.int(1, 5),
    )
  }
  for (let round = 0; round < 25; round++) share(context)
  corners(context)
}

function play(context: ScenarioContext, document: Json, length: number): void {
  const { random } = context
  let state = document
  const operations: Operation[] = []
  for (let index = 0; index < length; index++) {
    const operation = randomOperation(random, state)
    operations.push(operation)
    try {
      state = applyPatch(state, [operation])
    } catch {
      if (random.chance(0.7)) break
    }
  }
  check(context, document, operations)
}

function check(
  { attempt, record }: ScenarioContext,
  document: Json,
  operations: Operation[],
): void {
  const before = JSON.stringify([document, operations])
  freeze(document)
  freeze(operations)
  attempt(before, () => applyPatch(document, operations), describe)
  record('unchanged', before === JSON.stringify([document, operations]))
}

/** Whoever tries to change a frozen value fails. */
function freeze(given: unknown): void {
  if (typeof given !== 'object' || given === null) return
  Object.freeze(given)
  for (const child of Object.values(given)) freeze(child)
}

function value(random: Random, depth: number): Json {
  if (depth > 3 || random.chance(depth === 0 ? 0.05 : 0.35)) {
    return random.pick([
      null,
      true,
      false,
      0,
      '',
      '0',
      random.int(0, 9),
      `${random.int(0, 9)}`,
      0.5,
    ])
  }
  if (random.chance(0.4)) return random.list(0, 4, () => value(random, depth + 1))
  return object(
    random,
    random.list(0, 4, () => [key(random), value(random, depth + 1)]),
  )
}

/** Also a key such as __proto__ becomes an ordinary member. */
function object(random: Random, entries: [string, Json][]): Json {
  return Object.fromEntries(random.shuffle(entries))
}

function key(random: Random): string {
  return random.pick(random.chance(0.15) ? SPECIAL_KEYS : KEYS)
}

function randomOperation(random: Random, state: Json): Operation {
  const op = random.pick(OPS)
  if (op === 'remove') return { op, path: existing(random, state) }
  if (op === 'replace') return { op, path: existing(random, state), value: value(random, 2) }
  if (op === 'add') return { op, path: place(random, state), value: value(random, 2) }
  if (op === 'test') {
    const path = existing(random, state)
    return {
      op,
      path,
      value: random.chance(0.85) ? similar(random, at(state, path)) : value(random, 2),
    }
  }
  const from = existing(random, state)
  const kind = random.int(0, 9)
  if (kind === 0) return { op, from, path: from }
  if (kind === 1) return { op, from, path: `${from}/${escape(key(random))}` }
  if (kind === 2 && op === 'copy') return { op, from: '', path: place(random, state) }
  return { op, from, path: random.chance(0.7) ? place(random, state) : existing(random, state) }
}

function escape(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Mostly a pointer to something that is there. */
function existing(random: Random, state: Json): string {
  if (random.chance(0.04)) return random.pick(BAD_POINTERS)
  let path = ''
  let here: Json | undefined = state
  while (typeof here === 'object' && here !== null && !random.chance(path === '' ? 0.04 : 0.3)) {
    const token: string | undefined = random.pick(Object.keys(here))
    if (token === undefined) break
    path += `/${escape(token)}`
    here = (here as Record<string, Json>)[token]
  }
  return random.chance(0.07) ? `${path}/${escape(key(random))}` : path
}

/** A pointer to where something can be put: a key, an index, or the place after the last element. */
function place(random: Random, state: Json): string {
  const parent = existing(random, state)
  const here = at(state, parent)
  if (!Array.isArray(here)) return `${parent}/${escape(key(random))}`
  const index = random.int(0, here.length + (random.chance(0.2) ? 1 : 0))
  return `${parent}/${random.pick([index, index, index, '-', random.pick(['-1', '01', '1e0', '', '1.0', 'a'])])}`
}

/** What a pointer of this scenario points to, to choose the next operation. */
function at(state: Json, pointer: string): Json | undefined {
  const tokens = pointer.split('/').slice(1)
  return tokens.reduce<Json | undefined>((here, token) => {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof here === 'object' && here !== null && Object.hasOwn(here, name)
    return isThere ? (here as Record<string, Json>)[name] : undefined
  }, state)
}

/** The same value with its keys in another order, or one that nearly is the same. */
function similar(random: Random, given: Json | undefined): Json {
  if (random.chance(0.04)) return value(random, 2)
  if (Array.isArray(given)) {
    const list = given.map((one) => similar(random, one))
    if (random.chance(0.12)) return random.pick([list.slice(1), list.slice(0, -1), [...list, null]])
    return random.chance(0.08) ? { ...list } : list
  }
  if (typeof given === 'object' && given !== null) {
    const entries = Object.entries(given).map(([name, one]): [string, Json] => [
      name,
      similar(random, one),
    ])
    if (random.chance(0.07)) entries.push([key(random), null])
    return object(random, random.chance(0.07) ? entries.slice(1) : entries)
  }
  return random.chance(0.05) ? `${given}` : (given ?? null)
}

/** Copies of a value, and a value added twice, are changed one by one. */
function share(context: ScenarioContext): void {
  const { random } = context
  const shared: Json = {
    list: random.list(1, 3, () => [random.int(0, 9)]),
    x: { y: random.int(0, 9) },
  }
  const document: Json = { a: shared, b: [] }
  const places = random.shuffle(['/a', '/b/0', '/c', '/d'])
  const operations: Operation[] = [
    { op: 'add', path: '/b/0', value: shared },
    { op: 'copy', from: random.pick(['/a', '/b/0']), path: '/c' },
    { op: 'add', path: '/d', value: shared },
  ]
  const steps = ['/list/0/0', '/list/-', '/x/y', '/x/z', '/list/0', '/new']
  for (const start of places.slice(0, 3)) {
    const path = start + random.pick(steps)
    operations.push(
      random.chance(0.8) ? { op: 'add', path, value: random.int(10, 99) } : { op: 'remove', path },
    )
  }
  operations.push({ op: 'copy', from: '', path: random.pick(['/self', '/a/self', '/b/-']) })
  operations.push({ op: 'add', path: '/a/x/last', value: random.int(0, 9) })
  check(context, document, operations)
}

/** Names that objects inherit, texts that are almost an index, and equality on every level. */
function corners(context: ScenarioContext): void {
  const { random } = context
  for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'length']) {
    for (const document of [random.pick([{}, { a: {} }]), random.pick<Json>([['x'], 'text', 5])]) {
      check(context, document, [anyOf(random, `/${name}`)])
      check(context, document, [anyOf(random, `/${name}/${random.pick(['name', 'a', 'length'])}`)])
    }
    check(context, {}, [{ op: 'add', path: `/${name}`, value: value(random, 3) }])
  }
  for (let round = 0; round < 12; round++) {
    const list = random.list(2, 5, () => random.pick([null, random.int(0, 99)]))
    const [from, path] = random.list(2, 2, () => `/${random.int(0, list.length - 1)}`) as [
      string,
      string,
    ]
    check(context, list, [{ op: random.pick(['move', 'move', 'copy']), from, path }])
  }
  for (const token of ['-1', '01', '00', '1.0', '1e0', '', ' 1', '+1', '0x1', '-', '1', '2', '3']) {
    const list = random.list(2, 2, () => random.int(10, 99))
    const path = random.pick([`/${token}`, `/a/${token}`])
    check(context, path.startsWith('/a') ? { a: list } : list, [anyOf(random, path)])
    check(context, [list], [{ op: 'add', path: `/${token}`, value: random.int(0, 9) }])
  }
  for (let round = 0; round < 60; round++) {
    const document = random.chance(0.3) ? [value(random, 1)] : value(random, 0)
    check(context, document, [{ op: 'test', path: '', value: similar(random, document) }])
  }
  const own = random.pick<Json>([{}, [], null, 1])
  check(context, object(random, [['__proto__', own]]), [
    { op: 'test', path: '', value: { a: own } },
  ])
  for (const path of ['', '/a', '/b/c', '/-', 'a']) {
    check(context, { a: random.int(0, 9) }, [{ op: 'move', from: '', path }])
    check(context, { a: random.int(0, 9) }, [{ op: 'copy', from: random.pick(BAD_POINTERS), path }])
  }
}

function anyOf(random: Random, path: string): Operation {
  const value = random.int(0, 9)
  return random.pick<Operation>([
    { op: 'add', path, value },
    { op: 'remove', path },
    { op: 'replace', path, value },
    { op: 'test', path, value },
    { op: 'copy', from: path, path: '' },
    { op: 'move', from: path, path: random.pick(['/0', '/new', '']) },
  ])
}
