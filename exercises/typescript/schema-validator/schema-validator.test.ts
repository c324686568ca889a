import { describe, it, expect } from '@jest/globals'
import {
  array,
  boolean,
  literal,
  number,
  object,
  optional,
  string,
  union,
  type Infer,
  type Result,
  type Schema,
} from './schema-validator.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`Expected no issues: ${JSON.stringify(result.issues)}`)
  return result.value
}

/** Each issue as one line, such as "users.0.name: expected string, received null". */
function issuesOf(result: Result<unknown>): string[] {
  if (result.ok) return []
  return result.issues.map(
    ({ path, expected, received }) =>
      `${path.map(String).join('.')}: expected ${expected}, received ${received}`,
  )
}

describe('simple schemas', () => {
  it('let their kind through', () => {
    expect(string().validate('')).toEqual({ ok: true, value: '' })
    expect(number().validate(0)).toEqual({ ok: true, value: 0 })
    expect(boolean().validate(false)).toEqual({ ok: true, value: false })
    expect(literal(null).validate(null)).toEqual({ ok: true, value: null })
    expect(literal('a').validate('a')).toEqual({ ok: true, value: 'a' })
  })

  it('refuse everything else and say what they got', () => {
    expect(string().validate(5)).toEqual({
      ok: false,
      issues: [{ path: [], expected: 'string', received: 'number' }],
    })
    expect(issuesOf(number().validate('5'))).toEqual([': expected number, received string'])
    expect(issuesOf(boolean().validate(1))).toEqual([': expected boolean, received number'])
    expect(issuesOf(string().validate(null))).toEqual([': expected string, received null'])
    expect(issuesOf(string().validate(['a']))).toEqual([': expected string, received array'])
    expect(issuesOf(string().validate({}))).toEqual([': expected string, received object'])
    expect(issuesOf(string().validate(undefined))).toEqual([
      ': expected string, received undefined',
    ])
  })

  it('do not take numbers that are not finite', () => {
    expect(issuesOf(number().validate(Number.NaN))).toEqual([': expected number, received NaN'])
    expect(issuesOf(number().validate(Number.NEGATIVE_INFINITY))).toEqual([
      ': expected number, received -Infinity',
    ])
  })

  it('compare literals exactly and write them as JSON', () => {
    expect(issuesOf(literal('yes').validate('no'))).toEqual([': expected "yes", received string'])
    expect(issuesOf(literal(1).validate(true))).toEqual([': expected 1, received boolean'])
    expect(issuesOf(literal(null).validate(undefined))).toEqual([
      ': expected null, received undefined',
    ])
    expect(literal(false).validate(0).ok).toBe(false)
  })
})

describe('arrays', () => {
  it('collect the issues of all elements', () => {
    expect(issuesOf(array(string()).validate(['a', 1, 'b', null]))).toEqual([
      '1: expected string, received number',
      '3: expected string, received null',
    ])
  })

  it('use numbers for the indexes in a path', () => {
    expect(array(array(string())).validate([[], ['a', 2]])).toEqual({
      ok: false,
      issues: [{ path: [1, 1], expected: 'string', received: 'number' }],
    })
  })

  it('do not take what only looks like an array', () => {
    expect(issuesOf(array(string()).validate({ length: 0 }))).toEqual([
      ': expected array, received object',
    ])
    expect(array(string()).validate('text').ok).toBe(false)
  })

  it('look into holes', () => {
    const holes: unknown[] = ['a']
    holes[2] = 'c'
    expect(issuesOf(array(string()).validate(holes))).toEqual([
      '1: expected string, received undefined',
    ])
    const filled = valueOf(array(optional(string())).validate(holes))
    expect(Object.keys(filled)).toEqual(['0', '1', '2'])
  })

  it('are copied', () => {
    const given = [['a'], []]
    const value = valueOf(array(array(string())).validate(given))
    expect(value).toEqual(given)
    expect(value).not.toBe(given)
    expect(value[0]).not.toBe(given[0])
  })
})

describe('objects', () => {
  const userSchema = () => object({ name: string(), age: number(), tags: array(string()) })

  it('collect the issues of all keys in the order of the shape', () => {
    const result = userSchema().validate({ tags: [1, 'ok', 2], age: 'old', name: null })
    expect(issuesOf(result)).toEqual([
      'name: expected string, received null',
      'age: expected number, received string',
      'tags.0: expected string, received number',
      'tags.2: expected string, received number',
    ])
  })

  it('report the whole path of an issue', () => {
    const schema = object({ users: array(object({ name: object({ first: string() }) })) })
    expect(issuesOf(schema.validate({ users: [{ name: { first: 'A' } }, { name: {} }] }))).toEqual([
      'users.1.name.first: expected string, received missing',
    ])
  })

  it('report missing keys, but not as undefined', () => {
    expect(issuesOf(userSchema().validate({ age: undefined }))).toEqual([
      'name: expected string, received missing',
      'age: expected number, received undefined',
      'tags: expected array, received missing',
    ])
  })

  it('have a single issue if they are none', () => {
    expect(issuesOf(userSchema().validate(null))).toEqual([': expected object, received null'])
    expect(issuesOf(userSchema().validate([]))).toEqual([': expected object, received array'])
    expect(issuesOf(object({ u: userSchema() }).validate({ u: 'text' }))).toEqual([
      'u: expected object, received string',
    ])
  })

  it('may be without their optional keys, which then stay absent', () => {
    const schema = object({ name: string(), nick: optional(string()) })
    expect(Object.keys(valueOf(schema.validate({ name: 'A' })))).toEqual(['name'])
    expect(valueOf(schema.validate({ name: 'A', nick: 'B' }))).toEqual({ name: 'A', nick: 'B' })
    expect(Object.keys(valueOf(schema.validate({ name: 'A', nick: undefined })))).toEqual([
      'name',
      'nick',
    ])
    expect(issuesOf(schema.validate({ name: 'A', nick: null }))).toEqual([
      'nick: expected string, received null',
    ])
  })

  it('need a key that is optional only within a union', () => {
    const schema = object({ id: union(string(), optional(number())) })
    expect(issuesOf(schema.validate({}))).toEqual([
      'id: expected string | number, received missing',
    ])
    expect(schema.validate({ id: undefined }).ok).toBe(true)
  })

  it('do not count what is inherited', () => {
    const schema = object({ toString: optional(string()), constructor: optional(number()) })
    expect(schema.validate({}).ok).toBe(true)
    expect(issuesOf(userSchema().validate(Object.create({ name: 'A', age: 1, tags: [] })))).toEqual(
      [
        'name: expected string, received missing',
        'age: expected number, received missing',
        'tags: expected array, received missing',
      ],
    )
  })

  it('may come without a prototype and leave with the ordinary one', () => {
    const given: object = Object.assign(Object.create(null), { name: 'A' })
    const value = valueOf(object({ name: string() }).validate(given))
    expect(value).toEqual({ name: 'A' })
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

describe('unknown keys', () => {
  const shape = () => ({ id: number() })

  it('are stripped unless told otherwise, and the given object keeps them', () => {
    const given = { id: 1, extra: 2 }
    expect(valueOf(object(shape()).validate(given))).toEqual({ id: 1 })
    expect(valueOf(object(shape(), { unknownKeys: 'strip' }).validate(given))).toEqual({ id: 1 })
    expect(valueOf(object(shape(), {}).validate(given))).toEqual({ id: 1 })
    expect(given).toEqual({ id: 1, extra: 2 })
  })

  it('are stripped from inner objects too', () => {
    const schema = object({ list: array(object(shape())) })
    expect(valueOf(schema.validate({ list: [{ id: 1, extra: 2 }] }))).toEqual({ list: [{ id: 1 }] })
  })

  it('can be rejected, all of them and after the known ones', () => {
    const schema = object(shape(), { unknownKeys: 'reject' })
    expect(issuesOf(schema.validate({ b: null, id: 'x', a: [] }))).toEqual([
      'id: expected number, received string',
      'b: expected nothing, received null',
      'a: expected nothing, received array',
    ])
    expect(valueOf(schema.validate({ id: 1 }))).toEqual({ id: 1 })
  })

  it('include those with names that every object inherits', () => {
    const schema = object(shape(), { unknownKeys: 'reject' })
    expect(issuesOf(schema.validate({ id: 1, toString: 'x', constructor: 2 }))).toEqual([
      'toString: expected nothing, received string',
      'constructor: expected nothing, received number',
    ])
  })

  it('can be kept as they are', () => {
    const extra = { deep: [1] }
    const value: object = valueOf(
      object(shape(), { unknownKeys: 'keep' }).validate({ id: 1, extra, none: undefined }),
    )
    expect(Object.entries(value)).toEqual([
      ['id', 1],
      ['extra', { deep: [1] }],
      ['none', undefined],
    ])
    expect((value as { extra: unknown }).extra).toBe(extra)
  })

  it('never set a prototype', () => {
    const given: unknown = JSON.parse('{"id": 1, "__proto__": {"isAdmin": true}}')
    const kept: object = valueOf(object(shape(), { unknownKeys: 'keep' }).validate(given))
    expect('isAdmin' in kept).toBe(false)
    expect(Object.keys(kept)).toEqual(['id', '__proto__'])
    expect(Object.keys(valueOf(object(shape()).validate(given)))).toEqual(['id'])
    expect(issuesOf(object(shape(), { unknownKeys: 'reject' }).validate(given))).toEqual([
      '__proto__: expected nothing, received object',
    ])
  })
})

describe('unions', () => {
  it('let through what one of the options lets through', () => {
    const schema = union(string(), number(), literal(null))
    expect([valueOf(schema.validate('a')), valueOf(schema.validate(1))]).toEqual(['a', 1])
    expect(valueOf(schema.validate(null))).toBe(null)
  })

  it('have a single issue at their own place if no option passes', () => {
    const schema = object({
      items: array(union(object({ a: string(), b: string() }), array(string()), literal(true))),
    })
    expect(issuesOf(schema.validate({ items: [true, { a: 1 }] }))).toEqual([
      'items.1: expected object | array | true, received object',
    ])
  })

  it('take the value from the first option that passes', () => {
    const schema = union(object({ a: string() }), object({ a: string(), b: string() }))
    expect(valueOf(schema.validate({ a: 'x', b: 'y' }))).toEqual({ a: 'x' })
    const reversed = union(object({ a: string(), b: string() }), object({ a: string() }))
    expect(valueOf(reversed.validate({ a: 'x', b: 'y' }))).toEqual({ a: 'x', b: 'y' })
  })
})

describe('inferred types', () => {
  it('are those of the simple schemas, with literals kept', () => {
    const level = literal(3)
    const answer = union(literal('yes'), literal(false), number())
    const grid = array(array(literal(null)))
    expectType<Equal<Infer<Schema<Date>>, Date>>()
    expectType<Equal<Infer<typeof level>, 3>>()
    expectType<Equal<Infer<typeof answer>, 'yes' | false | number>>()
    expectType<Equal<Infer<typeof grid>, null[][]>>()
    expect(grid.validate([[null]]).ok && answer.validate(false).ok && level.validate(3).ok).toBe(
      true,
    )
  })

  it('have optional properties for optional keys', () => {
    const schema = object({
      name: string(),
      role: union(literal('admin'), literal('guest')),
      tags: optional(array(string())),
      home: optional(object({ city: string(), zip: optional(number()) })),
    })
    type Expected = {
      name: string
      role: 'admin' | 'guest'
      tags?: string[]
      home?: { city: string; zip?: number }
    }
    expectType<Equal<Infer<typeof schema>, Expected>>()
    const value: Infer<typeof schema> = { name: 'A', role: 'guest' }
    expect(valueOf(schema.validate(value))).toEqual(value)
  })

  it('do not make other keys optional or read-only', () => {
    const shape = { id: number(), note: union(string(), optional(number())) } as const
    const schema = object(shape)
    expectType<Equal<Infer<typeof schema>, { id: number; note: string | number | undefined }>>()
    const value = valueOf(schema.validate({ id: 1, note: 'x' }))
    value.id = 2
    expect(value.id).toBe(2)
  })

  it('let unions of objects be narrowed', () => {
    const shape = union(
      object({ kind: literal('circle'), radius: number() }),
      object({ kind: literal('square'), side: number() }),
    )
    const areaOf = (value: Infer<typeof shape>): number =>
      value.kind === 'circle' ? value.radius * 3 : value.side ** 2
    expect(areaOf(valueOf(shape.validate({ kind: 'square', side: 4 })))).toBe(16)
  })

  it('are what a result holds, but only after a look at ok', () => {
    const result = object({ name: optional(string()) }).validate({})
    // @ts-expect-error there may be no value
    expect(result.value).toEqual({})
    if (result.ok) expectType<Equal<typeof result.value, { name?: string }>>()
    expect(result.ok).toBe(true)
  })

  it('must agree with an annotation', () => {
    const right: Schema<{ name: string }> = object({ name: string() })
    // @ts-expect-error the name is a string
    const wrong: Schema<{ name: number }> = object({ name: string() })
    expect([right.expected, wrong.expected]).toEqual(['object', 'object'])
  })

  it('refuse what is not a schema', () => {
    const mistakes = [
      // @ts-expect-error a type name is not a schema
      () => object({ name: 'string' }),
      // @ts-expect-error a schema has to be made by a call
      () => array(string),
      // @ts-expect-error an object is not a literal
      () => literal({ a: 1 }),
      // @ts-expect-error there is no such policy
      () => object({}, { unknownKeys: 'ignore' }),
    ]
    expect(mistakes.length).toBe(4)
  })
})
