import type { Random, Scenario } from '../../../held-out.ts'
import { parseQuery, QueryError, type QueryValue, stringifyQuery } from '../query-string-codec.ts'

const NAMES = ['a', 'b', 'c', '', '0', '1', '10', '__proto__', 'constructor', 'toString', 'length']
const LETTERS = 'aB9.[]%+= &?#/é語😀\'!~-_"'
const SIGNS = [
  '&',
  '=',
  '[',
  ']',
  '.',
  '%',
  '+',
  '?',
  '0',
  '[0]',
  '[1]',
  '%2',
  '%5B',
  '%2E',
  '&&',
  'a',
]
const BAD_INDEXES = [
  '[]',
  '[00]',
  '[00]',
  '[01]',
  '[x]',
  '[-1]',
  '[1.0]',
  '[+1]',
  '[ 1]',
  '[%30]',
  '[',
  ']',
  '[0]b',
  '[[0]]',
]
const isQueryError = (error: unknown) => error instanceof QueryError

/** Nested data written and read back, and texts that keep to the format or just miss it. */
export const scenario: Scenario = (context) => {
  for (let round = 0; round < 60; round++) roundTrip(context)
  for (let round = 0; round < 220; round++) readText(context)
  for (let round = 0; round < 40; round++) refuseToWrite(context)
  const { record } = context
  record('prototypes', [Object.keys(Object.prototype), Object.keys(Array.prototype)])
}

const roundTrip: Scenario = ({ random, attempt }) => {
  const query = someObject(random, 0)
  const text = attempt('written', () => stringifyQuery(query), isQueryError)
  if (text === undefined) return
  attempt('read back', () => ordered(parseQuery(text)), isQueryError)
  const signs = random.list(1, 2, () => random.pick(SIGNS))
  let changed = text
  for (const sign of signs) {
    const at = random.int(0, changed.length)
    changed = changed.slice(0, at) + sign + changed.slice(at + random.int(0, 2))
  }
  attempt(`read ${changed}`, () => ordered(parseQuery(changed)), isQueryError)
}

const readText: Scenario = ({ random, attempt }) => {
  const names = random.shuffle(NAMES).slice(0, random.int(1, 4))
  const pairs = random.list(0, 6, () => somePair(random, names))
  const text =
    random.pick(['', '', '?', '??', '&']) + pairs.join(random.pick(['&', '&', '&', '&&']))
  const query = attempt(`read ${text}`, () => parseQuery(text), isQueryError)
  if (!query) return
  attempt('in order', () => ordered(query))
  attempt('written again', () => stringifyQuery(query), isQueryError)
}

const refuseToWrite: Scenario = ({ random, attempt }) => {
  const bad = random.pick([
    [],
    {},
    1,
    0,
    null,
    undefined,
    true,
    false,
    () => 1,
    [[]],
    [{}],
    ['', null],
  ])
  const query = someObject(random, 1) as Record<string, unknown>
  query[random.pick(['a', 'zz'])] = random.chance(0.5) ? bad : random.pick([{ x: bad }, ['y', bad]])
  attempt('refused', () => stringifyQuery(query as Record<string, QueryValue>), isQueryError)
}

/** JSON shows the order of the keys, which the format promises to keep. */
function ordered(query: unknown): string {
  return JSON.stringify(query)
}

function someObject(random: Random, depth: number): Record<string, QueryValue> {
  const least = depth === 0 && random.chance(0.1) ? 0 : 1
  const names = random.list(least, 4, () =>
    random.chance(0.5) ? random.pick(NAMES) : random.text(LETTERS, 1, 4),
  )
  const inherited = random.chance(0.1) ? { inherited: 'no' } : Object.prototype
  const made = Object.create(inherited) as Record<string, QueryValue>
  for (const name of names) own(made, name, someValue(random, depth + 1))
  if (random.chance(0.1)) Object.defineProperty(made, 'hidden', { value: 'no', enumerable: false })
  return made
}

function own(target: object, name: string, value: QueryValue): void {
  Object.defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function someValue(random: Random, depth: number): QueryValue {
  if (depth > 3 || random.chance(0.5)) return random.text(LETTERS, 0, 5)
  if (random.chance(0.5)) return random.list(1, 3, () => someValue(random, depth + 1))
  return someObject(random, depth)
}

/** Few names, so that keys meet again as the same or another kind of thing. */
function somePair(random: Random, names: readonly string[]): string {
  if (random.chance(0.04)) return random.pick(['', '=', '.', '[0]', '%', '='])
  const steps = random.list(0, random.pick([0, 1, 1, 3]), () => someStep(random, names))
  const key = `${written(random, random.pick(names))}${steps.join('')}`
  const value = random.chance(0.2) ? '' : written(random, random.text(LETTERS, 0, 4))
  return key + random.pick(['=', '=', '=', '=', '==', '']) + value
}

function someStep(random: Random, names: readonly string[]): string {
  if (random.chance(0.05)) return random.pick(BAD_INDEXES)
  if (random.chance(0.55)) return `[${random.chance(0.85) ? 0 : random.pick([1, 2, 10, 300])}]`
  return `.${written(random, random.pick(names))}`
}

/** The same text in several spellings; some of them are broken and are read as they stand. */
function written(random: Random, text: string): string {
  const safe = encodeURIComponent(text).replace(/\./g, '%2E')
  if (random.chance(0.06)) return safe + random.pick(['%', '%E4', '%zz+', '+%C3', '%2'])
  if (random.chance(0.2)) return safe.replace(/%20/g, '+')
  return random.chance(0.1) ? safe.replace(/^[a-z]/, '%61') : safe
}
