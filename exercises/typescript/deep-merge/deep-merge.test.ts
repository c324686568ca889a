import { describe, expect, it } from '@jest/globals'
import { type DeepMerge, deepMerge } from './deep-merge.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_ extends true>(): void {}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}

describe('merging', () => {
  it('takes the properties of both objects', () => {
    expect(deepMerge({ a: 1, b: 2 }, { b: 3, c: 4 })).toEqual({ a: 1, b: 3, c: 4 })
  })

  it('merges nested objects at any depth', () => {
    const base = { log: { level: 'info', file: { name: 'a.log', size: 10 } }, port: 80 }
    const override = { log: { file: { name: 'b.log', keep: 3 } } }
    expect(deepMerge(base, override)).toEqual({
      log: { level: 'info', file: { name: 'b.log', size: 10, keep: 3 } },
      port: 80,
    })
  })

  it('keeps the order of base and appends what is new', () => {
    const result = deepMerge({ b: 1, a: { y: 1, x: 1 } }, { c: 2, a: { z: 2, y: 2 }, b: 2 })
    expect(Object.keys(result)).toEqual(['b', 'a', 'c'])
    expect(Object.keys(result.a)).toEqual(['y', 'x', 'z'])
  })

  it('replaces values of different kinds', () => {
    expect(deepMerge({ a: { x: 1 } }, { a: 5 })).toEqual({ a: 5 })
    expect(deepMerge({ a: 5 }, { a: { x: 1 } })).toEqual({ a: { x: 1 } })
    expect(deepMerge({ a: [1] }, { a: { x: 1 } })).toEqual({ a: { x: 1 } })
    expect(deepMerge({ a: { '0': 1 } }, { a: [2] })).toEqual({ a: [2] })
    expect(deepMerge({ a: 'text' }, { a: ['t'] }, { arrays: 'concat' })).toEqual({ a: ['t'] })
  })

  it('takes null, false, 0 and empty strings as values', () => {
    const base = { a: 1, b: true, c: 2, d: 'x', e: { f: 1 } }
    const override = { a: null, b: false, c: 0, d: '', e: null }
    expect(deepMerge(base, override)).toEqual(override)
    expect(deepMerge({ a: null }, { a: { b: 1 } })).toEqual({ a: { b: 1 } })
  })

  it('accepts objects without a prototype', () => {
    const bare: { b: number } = Object.assign(Object.create(null), { b: 2 })
    const result = deepMerge({ a: { c: 1 } }, { a: bare, d: bare })
    expect(result).toEqual({ a: { b: 2, c: 1 }, d: { b: 2 } })
    expect(Object.getPrototypeOf(result.d)).toBe(Object.prototype)
  })

  it('considers own enumerable properties with string names only', () => {
    const override = Object.defineProperty({ [Symbol('s')]: 1, b: 2 }, 'hidden', { value: 3 })
    expect(Reflect.ownKeys(deepMerge({ a: 1 }, override))).toEqual(['a', 'b'])
    expect(Reflect.ownKeys(deepMerge(override, { a: 1 }))).toEqual(['b', 'a'])
  })
})

describe('undefined', () => {
  it('in override does not replace anything', () => {
    const override = { a: undefined, b: { c: undefined, d: 5 } }
    expect(deepMerge({ a: 1, b: { c: 2, d: 3 } }, override)).toEqual({ a: 1, b: { c: 2, d: 5 } })
  })

  it('in override does not add a property', () => {
    const result = deepMerge({ a: { b: 1 } }, { a: { c: undefined }, d: undefined })
    expect(Object.keys(result)).toEqual(['a'])
    expect(Object.keys(result.a)).toEqual(['b'])
  })

  it('in base stays unless there is a value for it', () => {
    const result = deepMerge({ a: undefined, b: undefined, c: undefined }, { b: 1, c: undefined })
    expect(Object.entries(result)).toEqual([
      ['a', undefined],
      ['b', 1],
      ['c', undefined],
    ])
  })

  it('is kept in arrays and in objects that are not merged', () => {
    const result = deepMerge({ a: [1], b: 1 }, { a: [undefined, 2], b: { c: undefined } })
    expect(result.a).toStrictEqual([undefined, 2])
    expect(result.b).toStrictEqual({ c: undefined })
  })
})

describe('arrays', () => {
  it('are replaced by default', () => {
    const base = { tags: ['a', 'b', 'c'], deep: { list: [{ x: 1 }] } }
    const override = { tags: ['d'], deep: { list: [{ y: 2 }] } }
    expect(deepMerge(base, override)).toEqual({ tags: ['d'], deep: { list: [{ y: 2 }] } })
    expect(deepMerge(base, override, {})).toEqual(deepMerge(base, override))
    expect(deepMerge(base, override, { arrays: 'replace' })).toEqual(deepMerge(base, override))
    expect(deepMerge({ a: [1] }, { a: [] })).toEqual({ a: [] })
  })

  it('are concatenated at any depth on request', () => {
    const base = { tags: ['a', 'b'], deep: { list: [{ x: 1 }, [1]] } }
    const override = { tags: ['b'], deep: { list: [{ x: 2 }, [2]] } }
    expect(deepMerge(base, override, { arrays: 'concat' })).toEqual({
      tags: ['a', 'b', 'b'],
      deep: { list: [{ x: 1 }, [1], { x: 2 }, [2]] },
    })
  })
})

describe('independence', () => {
  it('changes neither of the two objects', () => {
    const base = deepFreeze({ a: { b: { c: 1 } }, list: [{ x: 1 }], only: { base: [1] } })
    const override = deepFreeze({ a: { b: { d: 2 } }, list: [{ y: 2 }], other: { o: [2] } })
    for (const arrays of ['replace', 'concat'] as const) {
      expect(deepMerge(base, override, { arrays }).a).toEqual({ b: { c: 1, d: 2 } })
    }
    expect(base).toEqual({ a: { b: { c: 1 } }, list: [{ x: 1 }], only: { base: [1] } })
    expect(override).toEqual({ a: { b: { d: 2 } }, list: [{ y: 2 }], other: { o: [2] } })
  })

  it('shares no plain object with either of them', () => {
    const base = { only: { base: { x: 1 } }, both: { x: { y: 1 } } }
    const override = { own: { override: { x: 1 } }, both: { z: { y: 1 } } }
    const result = deepMerge(base, override)
    result.only.base.x = 2
    result.own.override.x = 2
    result.both.x.y = 2
    result.both.z.y = 2
    expect(base).toEqual({ only: { base: { x: 1 } }, both: { x: { y: 1 } } })
    expect(override).toEqual({ own: { override: { x: 1 } }, both: { z: { y: 1 } } })
  })

  it('shares no array or array element with either of them', () => {
    const base = { only: [[1]], both: [{ x: 1 }] }
    const override = { own: [[1]], both: [{ x: 1 }] }
    for (const arrays of ['replace', 'concat'] as const) {
      const result = deepMerge(base, override, { arrays })
      result.only[0].push(2)
      result.own[0].push(2)
      result.only.push([])
      for (const element of result.both) element.x = 2
    }
    expect(base).toEqual({ only: [[1]], both: [{ x: 1 }] })
    expect(override).toEqual({ own: [[1]], both: [{ x: 1 }] })
  })

  it('holds everything that is not plain by reference', () => {
    class Connection {
      options = { retries: 1 }
    }
    const base = { created: new Date(0), connection: new Connection(), map: new Map(), only: [/x/] }
    const override = { created: new Date(1), connection: new Connection(), map: new Map() }
    const run = () => 'run'
    const result = deepMerge(base, { ...override, run })
    expect(result.created).toBe(override.created)
    expect(result.connection).toBe(override.connection)
    expect(result.map).toBe(override.map)
    expect(result.run).toBe(run)
    expect(result.only[0]).toBe(base.only[0])
  })

  it('replaces an instance by a plain object and the other way round', () => {
    class Point {
      x = 1
    }
    const point = new Point()
    expect(deepMerge({ p: point }, { p: { y: 2 } }).p).toStrictEqual({ y: 2 })
    expect(deepMerge({ p: { y: 2 } }, { p: point }).p).toBe(point)
    expect(point).toEqual(new Point())
  })
})

describe('__proto__', () => {
  const hostile: object = JSON.parse(
    '{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":2},"b":1},"c":[{"__proto__":null}]}',
  )

  it('is skipped in override', () => {
    const result = deepMerge({ a: { x: 1 } }, hostile)
    expect(JSON.stringify(result)).toBe('{"a":{"x":1,"b":1},"c":[{}]}')
    expect('polluted' in result).toBe(false)
    expect('polluted' in result.a).toBe(false)
    expect('polluted' in {}).toBe(false)
  })

  it('is skipped in base and in copies', () => {
    for (const result of [deepMerge(hostile, {}), deepMerge({}, hostile)]) {
      expect(JSON.stringify(result)).toBe('{"a":{"b":1},"c":[{}]}')
      const { a, c } = result as { a: object; c: object[] }
      for (const object of [result, a, c[0]]) {
        expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
      }
    }
  })
})

describe('types', () => {
  it('merges nested objects', () => {
    type Base = { port: number; log: { level: string; file: { name: string } } }
    type Override = { port: string; log: { file: { size: number } }; extra: boolean }
    type Merged = {
      port: string
      log: { level: string; file: { name: string; size: number } }
      extra: boolean
    }
    expectType<Equal<DeepMerge<Base, Override>, Merged>>()
    const result = deepMerge({ a: { b: 1 } }, { a: { c: 'x' } })
    expectType<Equal<typeof result, { a: { b: number; c: string } }>>()
    expect(result).toEqual({ a: { b: 1, c: 'x' } })
  })

  it('keeps optional what only one type has', () => {
    expectType<
      Equal<DeepMerge<{ a?: number; b: 1 }, { c?: 2; d: 3 }>, { a?: number; b: 1; c?: 2; d: 3 }>
    >()
    expectType<Equal<DeepMerge<{}, {}>, {}>>()
    expect(deepMerge({}, {})).toEqual({})
  })

  it('knows that undefined lets the value of base stay', () => {
    type Merged = DeepMerge<
      { a: number; b: number; c?: number; d: number[] },
      { a?: string; b: string | undefined; c: string; d?: string[] }
    >
    expectType<
      Equal<Merged, { a: number | string; b: number | string; c: string; d: number[] | string[] }>
    >()
    const override: { a?: string } = {}
    const result = deepMerge({ a: 1 }, override)
    expectType<Equal<typeof result, { a: string | number }>>()
    expect(result.a).toBe(1)
  })

  it('follows the array strategy', () => {
    type Base = { tags: string[]; deep: { list: number[] } }
    type Override = { tags: number[]; deep: { list: boolean[] } }
    expectType<Equal<DeepMerge<Base, Override>, Override>>()
    expectType<
      Equal<
        DeepMerge<Base, Override, 'concat'>,
        { tags: (string | number)[]; deep: { list: (number | boolean)[] } }
      >
    >()
    const replaced = deepMerge({ a: [1] }, { a: ['x'] })
    expectType<Equal<typeof replaced, { a: string[] }>>()
    const joined = deepMerge({ a: [1] }, { a: ['x'] }, { arrays: 'concat' })
    expectType<Equal<typeof joined, { a: (number | string)[] }>>()
    expect(joined.a).toEqual([1, 'x'])
  })

  it('does not look into objects that are not plain', () => {
    type Base = { at: Date; run: () => void; map: Map<string, number>; list: string[] }
    type Override = { at: { y: 1 }; run: () => number; map: Map<number, string>; list: { z: 1 } }
    expectType<Equal<DeepMerge<Base, Override>, Override>>()
    expectType<Equal<DeepMerge<Override, Base>, Base>>()
    const result = deepMerge({ at: { y: 1 } }, { at: new Date(0) })
    expectType<Equal<typeof result, { at: Date }>>()
    expect(result.at.getTime()).toBe(0)
  })

  it('rejects what the result does not have and unknown strategies', () => {
    const mistakes = () => {
      // @ts-expect-error there is no property c
      deepMerge({ a: 1 }, { b: 2 }).c
      // @ts-expect-error the number has been replaced by a string
      deepMerge({ a: 1 }, { a: 'x' }).a.toFixed()
      // @ts-expect-error there is no such strategy
      deepMerge({ a: 1 }, { b: 2 }, { arrays: 'union' })
      // @ts-expect-error there is no such option
      deepMerge({ a: 1 }, { b: 2 }, { array: 'concat' })
    }
    expect(typeof mistakes).toBe('function')
  })
})
