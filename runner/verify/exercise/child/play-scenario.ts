import { types } from 'node:util'
import type { Scenario, ScenarioContext } from '../../../../exercises/held-out.ts'

const nextTurn = setImmediate
const NativePromise = Promise

/** Maximum entries and text of an observation; the rest is dropped and reported as such. */
const MOST_ENTRIES = 20_000
const MOST_ENTRY_TEXT = 8_000
const MOST_TEXT = 4 << 20

/** Plays a scenario with one seed. `write` gets each entry as it is made. Never rejects. */
export async function playScenario(
  scenario: Scenario,
  seed: string,
  write: (entry: string) => void,
): Promise<void> {
  let entries = 0
  let total = 0
  const put = (entry: string): void => {
    const text = entry.length > MOST_ENTRY_TEXT ? `${entry.slice(0, MOST_ENTRY_TEXT)}…` : entry
    total += text.length
    entries++
    if (entries < MOST_ENTRIES && total < MOST_TEXT) write(text)
    else if (entries === MOST_ENTRIES || total - text.length < MOST_TEXT) write('[more]')
  }
  try {
    await scenario(createContext(createRandom(seed), put))
    put('end')
  } catch {
    put('the scenario was interrupted by an error')
  }
}

function createContext(
  random: ScenarioContext['random'],
  put: (entry: string) => void,
): ScenarioContext {
  const record = (label: string, value: unknown): void => put(`${label}: ${safely(value)}`)
  const refused = (label: string, error: unknown, describe?: (error: unknown) => unknown): void =>
    put(`${label}: throws ${describe ? safely(describe(error)) : ''}`)
  return {
    random,
    record,
    attempt: (label, run, describe) => {
      try {
        const value = run()
        record(label, value)
        return value
      } catch (error) {
        refused(label, error, describe)
        return undefined
      }
    },
    settle: async (label, run, describe) => {
      try {
        const value = await run()
        record(label, value)
        return value
      } catch (error) {
        refused(label, error, describe)
        return undefined
      }
    },
    flush: () => new NativePromise<void>((resolve) => nextTurn(() => resolve())),
  }
}

/** A value that throws when it is read is an observation, too. */
function safely(value: unknown): string {
  try {
    return describeValue(value)
  } catch {
    return '[cannot be read]'
  }
}

const { floor, imul } = Math

/** The same values in the same order for the same seed (32 hexadecimal digits or more): sfc32. */
function createRandom(seed: string) {
  const word = (index: number): number => Number.parseInt(seed.slice(index * 8, index * 8 + 8), 16)
  let [a, b, c, counter] = [word(0), word(1), word(2), word(3) | 1] as [
    number,
    number,
    number,
    number,
  ]
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return imul(sum ^ (sum >>> 16), 0x45d9f3b) >>> 0
  }
  for (let round = 0; round < 12; round++) next()

  const int = (least: number, most: number): number =>
    least + floor((next() / 2 ** 32) * (most - least + 1))
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)] as T
  const list = <T>(least: number, most: number, make: (index: number) => T): T[] => {
    const size = int(least, most)
    const made: T[] = []
    for (let index = 0; index < size; index++) made[index] = make(index)
    return made
  }
  return {
    int,
    pick,
    list,
    chance: (share: number): boolean => next() / 2 ** 32 < share,
    shuffle: <T>(given: readonly T[]): T[] => {
      const mixed = [...given]
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = int(0, last)
        const kept = mixed[last] as T
        mixed[last] = mixed[other] as T
        mixed[other] = kept
      }
      return mixed
    },
    text: (alphabet: string, least: number, most: number): string => {
      const letters = [...alphabet]
      return list(least, most, () => pick(letters)).join('')
    },
  }
}

const { apply, ownKeys } = Reflect
const { getOwnPropertyDescriptor, is } = Object
const { isArray } = Array
const { isMap, isSet, isDate, isRegExp, isTypedArray, isPromise, isNativeError, isProxy } = types
const { stringify } = JSON
const { forEach: eachOfMap } = Map.prototype
const { forEach: eachOfSet } = Set.prototype
const { getTime } = Date.prototype
const { toString: showRegExp } = RegExp.prototype
const { sort } = Array.prototype

const MOST_DEPTH = 40
const MOST_PARTS = 20_000

/**
 * Describes a value as text, by value: equal texts mean that the values cannot be distinguished by reading them. Key
 * order, undefined properties, classes and -0 do not count, because the visible tests' `toEqual` ignores them, too.
 */
function describeValue(value: unknown): string {
  return new ValueWriter().describe(value, 0)
}

type Kind = [
  is: (value: unknown) => boolean,
  write: (writer: ValueWriter, value: object, depth: number) => string,
]

/** Special formats; the first match counts. */
const KINDS: readonly Kind[] = [
  [isProxy, (writer, value, depth) => `proxy ${writer.fields(value, depth)}`],
  [isArray, (writer, value, depth) => `[${writer.elements(value as unknown[], depth)}]`],
  [isDate, (_writer, value) => `Date(${apply(getTime, value, []) as number})`],
  [isRegExp, (_writer, value) => `RegExp(${apply(showRegExp, value, []) as string})`],
  [isPromise, () => '[promise]'],
  [isNativeError, () => '[error]'],
  [isMap, (writer, value, depth) => writer.map(value, depth)],
  [isSet, (writer, value, depth) => writer.set(value, depth)],
  [isTypedArray, (writer, value, depth) => `bytes[${writer.elements(value as never, depth)}]`],
]

class ValueWriter {
  readonly #open: unknown[] = []
  #parts = 0

  describe(given: unknown, depth: number): string {
    if (++this.#parts > MOST_PARTS || depth > MOST_DEPTH) return '[more]'
    switch (typeof given) {
      case 'string':
        return stringify(given)
      case 'number':
        return is(given, -0) ? '0' : `${given}`
      case 'bigint':
        return `${given}n`
      case 'symbol':
        return '[symbol]'
      case 'function':
        return '[function]'
      case 'object':
        return given === null ? 'null' : this.#once(given, depth + 1)
      default:
        return `${given as undefined | boolean}`
    }
  }

  #once(given: object, depth: number): string {
    const open = this.#open
    for (let index = 0; index < open.length; index++) if (open[index] === given) return '[circular]'
    open[open.length] = given
    const text = this.#object(given, depth)
    open.length--
    return text
  }

  #object(given: object, depth: number): string {
    for (let index = 0; index < KINDS.length; index++) {
      const kind = KINDS[index] as Kind
      if (kind[0](given)) return kind[1](this, given, depth)
    }
    return this.fields(given, depth)
  }

  elements(given: ArrayLike<unknown>, depth: number): string {
    let text = ''
    for (let index = 0; index < given.length; index++) {
      if (this.#parts > MOST_PARTS) return `${text}[more]`
      text += (index > 0 ? ',' : '') + this.describe(given[index], depth)
    }
    return text
  }

  map(given: object, depth: number): string {
    let text = ''
    const visit = (item: unknown, key: unknown): void => {
      text += `${text && ','}${this.describe(key, depth)}=>${this.describe(item, depth)}`
    }
    apply(eachOfMap, given, [visit])
    return `Map{${text}}`
  }

  set(given: object, depth: number): string {
    let text = ''
    const visit = (item: unknown): void => {
      text += (text && ',') + this.describe(item, depth)
    }
    apply(eachOfSet, given, [visit])
    return `Set{${text}}`
  }

  fields(given: object, depth: number): string {
    const keys: string[] = []
    for (const key of ownKeys(given)) {
      if (typeof key === 'string' && getOwnPropertyDescriptor(given, key)?.enumerable)
        keys[keys.length] = key
    }
    apply(sort, keys, [])
    let text = ''
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string
      const item = (given as Record<string, unknown>)[key]
      if (item !== undefined)
        text += `${text && ','}${stringify(key)}:${this.describe(item, depth)}`
    }
    return `{${text}}`
  }
}
