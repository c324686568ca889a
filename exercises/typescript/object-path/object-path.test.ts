import { describe, it, expect } from '@jest/globals'
import { getPath, setPath } from './object-path.ts'
import type { PathInput, PathValue, ValidPath } from './object-path.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<T extends true>(): T | void {}
/** Checked by the compiler, never executed. */
function compileOnly(_code: () => unknown): void {}

// For data and paths that do not keep what a type promises.
const looseGet = getPath as unknown as (root: unknown, path: string) => unknown
const looseSet = setPath as unknown as (root: unknown, path: string, value: unknown) => unknown

interface Order {
  id: number
  lines: { sku: string; count: number }[]
  address?: { city: string; zip: string | null }
}

interface Shop {
  name: string
  orders: Order[]
  stock: Record<string, number>
  position: [latitude: number, longitude: number]
  owner: { name: string; since: number | null } | null
  note?: string
}

interface Tree {
  label: string
  children: Tree[]
  parent?: Tree
}

type Shape =
  | { kind: 'circle'; radius: number }
  | { kind: 'rectangle'; size: { width: number; height: string } }

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}

/** Every object and array in it is frozen, so that a change is an error. */
const createShop = (): Shop =>
  deepFreeze<Shop>({
    name: 'Corner shop',
    orders: [
      { id: 1, lines: [{ sku: 'pen', count: 3 }], address: { city: 'Bern', zip: null } },
      { id: 2, lines: [] },
    ],
    stock: { pen: 7, ink: 0 },
    position: [46.9, 7.4],
    owner: null,
  })

const tree: Tree = deepFreeze({
  label: 'root',
  children: [{ label: 'a', children: [{ label: 'b', children: [] }] }],
})

describe('getPath', () => {
  it('reads properties, elements and what is in them', () => {
    const shop = createShop()
    expect(getPath(shop, 'name')).toBe('Corner shop')
    expect(getPath(shop, 'orders.0.lines.0.sku')).toBe('pen')
    expect(getPath(shop, 'position.1')).toBe(7.4)
    expect(getPath(shop, 'stock.ink')).toBe(0)
    expect(getPath(shop, 'orders.1')).toBe(shop.orders[1])
    expect(getPath([['x', 'y']], '0.1')).toBe('y')
  })

  it('gives undefined where the path leads nowhere', () => {
    const shop = createShop()
    expect(getPath(shop, 'orders.2')).toBeUndefined()
    expect(getPath(shop, 'orders.2.lines.0.sku')).toBeUndefined()
    expect(getPath(shop, 'orders.1.address.city')).toBeUndefined()
    expect(getPath(shop, 'stock.paper')).toBeUndefined()
    expect(getPath(shop, 'note')).toBeUndefined()
  })

  it('gives null only at the end of the path', () => {
    const shop = createShop()
    expect(getPath(shop, 'owner')).toBeNull()
    expect(getPath(shop, 'orders.0.address.zip')).toBeNull()
    expect(getPath(shop, 'owner.name')).toBeUndefined()
  })

  it('does not go into simple values', () => {
    expect(looseGet({ a: 'text' }, 'a.0')).toBeUndefined()
    expect(looseGet({ a: 'text' }, 'a.length')).toBeUndefined()
    expect(looseGet({ a: 1 }, 'a.toFixed')).toBeUndefined()
    expect(looseGet({ a: () => 1 }, 'a.name')).toBeUndefined()
    expect(looseGet(undefined, 'a.b')).toBeUndefined()
    expect(looseGet(null, 'a')).toBeUndefined()
  })

  it('does not see inherited properties', () => {
    const paths = ['toString', 'constructor', 'constructor.name', '__proto__', 'a.__proto__']
    for (const path of paths) {
      expect(looseGet({ a: {} }, path)).toBeUndefined()
    }
    expect(looseGet(Object.create({ inherited: 1 }), 'inherited')).toBeUndefined()
    expect(looseGet({ constructor: { name: 'own' } }, 'constructor.name')).toBe('own')
    expect(looseGet(JSON.parse('{"__proto__": {"a": 1}}'), '__proto__.a')).toBe(1)
  })

  it('accepts only indices for arrays, but any key for objects', () => {
    const list = ['x', 'y']
    for (const path of ['length', 'map', '-1', '01', '1.0', '1e0', ' 1', '+1', '']) {
      expect(looseGet(list, path)).toBeUndefined()
    }
    expect(looseGet({ '01': 'a', length: 'b', '-1': 'c' }, '01')).toBe('a')
    expect(looseGet({ '01': 'a', length: 'b', '-1': 'c' }, 'length')).toBe('b')
    expect(looseGet({ '01': 'a', length: 'b', '-1': 'c' }, '-1')).toBe('c')
  })
})

describe('setPath', () => {
  it('gives a copy with the new value and leaves the original alone', () => {
    const shop = createShop()
    const renamed = setPath(shop, 'name', 'Market')
    expect(renamed).toEqual({ ...createShop(), name: 'Market' })
    const counted = setPath(shop, 'orders.0.lines.0.count', 4)
    expect(counted.orders[0].lines).toEqual([{ sku: 'pen', count: 4 }])
    expect(shop).toEqual(createShop())
  })

  it('copies only what is along the path', () => {
    const shop = createShop()
    const changed = setPath(shop, 'orders.0.address.city', 'Basel')
    expect(changed.orders).not.toBe(shop.orders)
    expect(changed.orders[0]).not.toBe(shop.orders[0])
    expect(changed.orders[0].address).toEqual({ city: 'Basel', zip: null })
    expect(changed.orders[0].lines).toBe(shop.orders[0].lines)
    expect(changed.orders[1]).toBe(shop.orders[1])
    expect(changed.stock).toBe(shop.stock)
    expect(changed.position).toBe(shop.position)
  })

  it('keeps arrays as arrays', () => {
    const changed = setPath(createShop(), 'position.0', 47)
    expect(Array.isArray(changed.position)).toBe(true)
    expect(changed.position).toEqual([47, 7.4])
  })

  it('gives the root itself when nothing changes', () => {
    const shop = createShop()
    expect(setPath(shop, 'orders.0.lines.0.count', 3)).toBe(shop)
    expect(setPath(shop, 'orders.0.lines', shop.orders[0].lines)).toBe(shop)
    expect(setPath(shop, 'owner', null)).toBe(shop)
    const numbers = deepFreeze({ nan: NaN, zero: 0 })
    expect(setPath(numbers, 'nan', NaN)).toBe(numbers)
    expect(Object.is(setPath(numbers, 'zero', -0).zero, -0)).toBe(true)
  })

  it('adds a key even for the value undefined', () => {
    const shop = createShop()
    const changed = setPath(shop, 'note', undefined)
    expect(changed).not.toBe(shop)
    expect(Object.keys(changed)).toEqual([...Object.keys(shop), 'note'])
    expect(setPath(changed, 'note', undefined)).toBe(changed)
  })

  it('puts missing objects in place', () => {
    const shop = createShop()
    expect(setPath(shop, 'orders.1.address.city', 'Chur').orders[1]).toEqual({
      id: 2,
      lines: [],
      address: { city: 'Chur' },
    })
    expect(setPath(shop, 'owner.name', 'Ada').owner).toEqual({ name: 'Ada' })
    expect(looseSet({ a: undefined }, 'a.b.c', 1)).toEqual({ a: { b: { c: 1 } } })
  })

  it('puts an array in place when an index follows', () => {
    expect(looseSet({}, 'list.0.name', 'x')).toEqual({ list: [{ name: 'x' }] })
    expect(looseSet({ list: null }, 'list.0.0', 'x')).toEqual({ list: [['x']] })
    expect(looseSet({}, 'list.01', 'x')).toEqual({ list: { '01': 'x' } })
    expect(looseSet({ list: {} }, 'list.0', 'x')).toEqual({ list: { '0': 'x' } })
  })

  it('appends at the end of an array', () => {
    const shop = createShop()
    expect(setPath(shop, 'orders.1.lines.0', { sku: 'ink', count: 1 }).orders[1].lines).toEqual([
      { sku: 'ink', count: 1 },
    ])
    expect(looseSet(['a'], '1.name', 'b')).toEqual(['a', { name: 'b' }])
    expect(looseSet([], '0', undefined)).toEqual([undefined])
  })

  it('leaves no holes in an array', () => {
    const list = deepFreeze(['a', 'b'])
    expect(setPath(list, '2', 'c')).toEqual(['a', 'b', 'c'])
    expect(() => setPath(list, '3', 'd')).toThrow(RangeError)
    expect(() => setPath(createShop(), 'orders.3.id', 1)).toThrow(RangeError)
    expect(() => looseSet({}, 'list.1', 'x')).toThrow(RangeError)
  })

  it('refuses keys that are no index for an array', () => {
    for (const key of ['length', 'x', '-1', '01', '1e0', '']) {
      expect(() => looseSet({ list: ['a', 'b'] }, `list.${key}`, 0)).toThrow(TypeError)
    }
    expect(() => looseSet(['a'], 'x.y', 0)).toThrow(TypeError)
  })

  it('refuses to go into simple values', () => {
    for (const simple of [1, 'text', '', true, 0, () => 1]) {
      expect(() => looseSet({ a: simple }, 'a.b', 1)).toThrow(TypeError)
      expect(() => looseSet({ a: simple }, 'a.0.b', 1)).toThrow(TypeError)
    }
  })

  it('refuses the key __proto__ and changes no prototype', () => {
    for (const path of ['__proto__', '__proto__.polluted', 'a.__proto__.polluted', 'b.__proto__']) {
      expect(() => looseSet({ a: {} }, path, { polluted: true })).toThrow(TypeError)
    }
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('treats other inherited names as missing keys', () => {
    expect(looseSet({}, 'valueOf.x', 1)).toEqual({ valueOf: { x: 1 } })
    const root = {}
    const changed = looseSet(root, 'constructor', Object)
    expect(changed).not.toBe(root)
    expect(Object.hasOwn(changed as object, 'constructor')).toBe(true)
    expect(looseSet({ a: 1 }, 'constructor.prototype.b', 2)).toEqual({
      a: 1,
      constructor: { prototype: { b: 2 } },
    })
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('types of values', () => {
  it('follow properties and elements', () => {
    expectType<Equal<PathValue<Shop, 'name'>, string>>()
    expectType<Equal<PathValue<Shop, 'orders'>, Order[]>>()
    expectType<Equal<PathValue<Shop, 'orders.0'>, Order | undefined>>()
    expectType<Equal<PathValue<Shop, 'orders.0.id'>, number | undefined>>()
    expectType<Equal<PathValue<Shop, 'stock.pen'>, number | undefined>>()
    expectType<Equal<PathValue<readonly string[][], '0.1'>, string | undefined>>()
    const shop = createShop()
    const sku = getPath(shop, 'orders.0.lines.0.sku')
    expectType<Equal<typeof sku, string | undefined>>()
    const name = getPath(shop, 'name')
    expectType<Equal<typeof name, string>>()
    expect([sku, name]).toEqual(['pen', 'Corner shop'])
  })

  it('know the elements of a tuple', () => {
    expectType<Equal<PathValue<Shop, 'position.1'>, number>>()
    expectType<Equal<PathValue<[string, { a: boolean }], '1.a'>, boolean>>()
    expectType<Equal<ValidPath<Shop, 'position.2'>, never>>()
    expect(getPath(createShop(), 'position.0') + 1).toBe(47.9)
  })

  it('include undefined after something optional, and null only at the end', () => {
    expectType<Equal<PathValue<Shop, 'note'>, string | undefined>>()
    expectType<Equal<PathValue<Order, 'address.city'>, string | undefined>>()
    expectType<Equal<PathValue<Order, 'address.zip'>, string | null | undefined>>()
    expectType<Equal<PathValue<Shop, 'owner'>, Shop['owner']>>()
    expectType<Equal<PathValue<Shop, 'owner.name'>, string | undefined>>()
    expectType<Equal<PathValue<Shop, 'owner.since'>, number | null | undefined>>()
    expect(getPath(createShop(), 'owner.name')).toBeUndefined()
  })

  it('work for types that contain themselves', () => {
    expectType<Equal<PathValue<Tree, 'children.0.children.0.label'>, string | undefined>>()
    expectType<Equal<PathValue<Tree, 'parent.parent.label'>, string | undefined>>()
    expectType<Equal<ValidPath<Tree, 'children.0.children.size'>, never>>()
    expect(getPath(tree, 'children.0.children.0.label')).toBe('b')
    expect(setPath(tree, 'children.0.label', 'z').children[0].label).toBe('z')
  })

  it('take a key of a union from any of its members', () => {
    expectType<Equal<PathValue<Shape, 'kind'>, 'circle' | 'rectangle'>>()
    expectType<Equal<PathValue<Shape, 'radius'>, number | undefined>>()
    expectType<Equal<PathValue<Shape, 'size.height'>, string | undefined>>()
    expectType<Equal<ValidPath<Shape, 'size.depth'>, never>>()
    const shape: Shape = { kind: 'circle', radius: 2 } as Shape
    expect(getPath(shape, 'radius')).toBe(2)
  })

  it('of inputs have no undefined that is only for missing values', () => {
    expectType<Equal<PathInput<Shop, 'orders.0'>, Order>>()
    expectType<Equal<PathInput<Shop, 'orders.0.id'>, number>>()
    expectType<Equal<PathInput<Shop, 'stock.pen'>, number>>()
    expectType<Equal<PathInput<Shop, 'owner.name'>, string>>()
    expectType<Equal<PathInput<Shop, 'note'>, string | undefined>>()
    expectType<Equal<PathInput<Order, 'address.zip'>, string | null>>()
    expectType<Equal<PathInput<Shop, 'position.0'>, number>>()
    expectType<Equal<PathInput<Shape, 'radius'>, number>>()
    expectType<Equal<PathInput<Shape, 'kind'>, 'circle' | 'rectangle'>>()
    const shop = setPath(createShop(), 'stock.pen', 8)
    expectType<Equal<typeof shop, Shop>>()
    expect(shop.stock.pen).toBe(8)
  })
})

describe('types of paths', () => {
  it('accept what leads somewhere', () => {
    expectType<Equal<ValidPath<Shop, 'orders.12.lines'>, 'orders.12.lines'>>()
    expectType<Equal<ValidPath<Shop, 'stock.anything'>, 'stock.anything'>>()
    expect(getPath(createShop(), 'orders.12.lines')).toBeUndefined()
  })

  it('reject what leads nowhere', () => {
    expectType<Equal<ValidPath<Shop, 'missing'>, never>>()
    expectType<Equal<PathValue<Shop, 'missing'>, never>>()
    expectType<Equal<PathInput<Shop, 'missing'>, never>>()
    expectType<Equal<PathValue<Shop, 'owner.missing'>, never>>()
    expectType<Equal<PathValue<Shop, 'orders.0.missing'>, never>>()
    const shop = createShop()
    compileOnly(() => [
      // @ts-expect-error there is no such property
      getPath(shop, 'title'),
      // @ts-expect-error there is no such property in an order
      getPath(shop, 'orders.0.title'),
      // @ts-expect-error length is not a key
      getPath(shop, 'orders.length'),
      // @ts-expect-error a method is not a key
      getPath(shop, 'orders.map'),
      // @ts-expect-error an array has only indices
      getPath(shop, 'orders.first'),
      // @ts-expect-error there is nothing in a text
      getPath(shop, 'name.length'),
      // @ts-expect-error there is nothing in a number
      getPath(shop, 'position.0.toFixed'),
      // @ts-expect-error an empty key
      getPath(shop, 'stock.'),
      // @ts-expect-error an empty key
      getPath(shop, ''),
      // @ts-expect-error there is no such property
      setPath(shop, 'title', 'x'),
    ])
    expect(looseGet(shop, 'title')).toBeUndefined()
  })

  it('reject values of another type', () => {
    const shop = createShop()
    compileOnly(() => [
      // @ts-expect-error the name is a text
      setPath(shop, 'name', 1),
      // @ts-expect-error the count is a number
      setPath(shop, 'orders.0.lines.0.count', '4'),
      // @ts-expect-error an element must not be undefined
      setPath(shop, 'orders.0', undefined),
      // @ts-expect-error the zip is missing
      setPath(shop, 'orders.0.address', { city: 'Bern' }),
      // @ts-expect-error the owner's name must not be null
      setPath(shop, 'owner.name', null),
      // @ts-expect-error a property that must be there must not be undefined
      setPath(shop, 'stock.pen', undefined),
    ])
    expect(setPath(shop, 'name', 'Market').name).toBe('Market')
  })
})
