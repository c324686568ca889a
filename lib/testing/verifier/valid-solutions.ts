/** Honest code whose types and tests pass with jest and tsc, so they must pass here, without a finding. */
export type ValidSolution = { name: string; solution: string; test: string; executed: string[] }

const IMPORTS =
  "import { describe, it, expect, jest, test } from '@jest/globals'\nvoid [describe, it, jest, test]\n"
const one = (name: string, solution: string, imports: string, body: string): ValidSolution => ({
  name,
  solution,
  test: `${IMPORTS}import { ${imports} } from './task.ts'\nit('t', async () => {\n${body}\n})\n`,
  executed: ['t'],
})

export const VALID_SOLUTIONS: readonly ValidSolution[] = [
  one(
    'subclass of Error that assigns its name',
    `export class ValueError extends Error {
  constructor(message: string) { super(message); this.name = 'ValueError'; this.message += '!' }
}
export class Plain { toString() { return 'plain' } }
function Legacy(this: any) { this.constructor = Legacy; this.toString = () => 'legacy' }
Legacy.prototype.valueOf = function () { return 7 }
export const legacy = () => new (Legacy as any)()`,
    'ValueError, Plain, legacy',
    `const error = new ValueError('bad')
expect(error.name).toBe('ValueError')
expect(Object.keys(error)).toEqual(['name'])
expect(() => { throw error }).toThrow(ValueError)
expect(() => { throw error }).toThrow('bad!')
expect(() => { throw error }).toThrow(/^bad!$/)
expect(() => { throw error }).toThrow(new Error('bad!'))
expect(error).toBeInstanceOf(Error)
expect(String(new Plain())).toBe('plain')
expect(String(legacy())).toBe('legacy')
expect(+legacy()).toBe(7)`,
  ),
  one(
    'subclasses of Array, Map and Set',
    `export class Stack<T> extends Array<T> { peek(): T | undefined { return this[this.length - 1] } }
export class Counter extends Map<string, number> { add(k: string) { this.set(k, (this.get(k) ?? 0) + 1); return this } }
export class Bag extends Set<number> { get total() { return [...this].reduce((a, b) => a + b, 0) } }`,
    'Stack, Counter, Bag',
    `const stack = new Stack<number>(); stack.push(1, 2)
expect(stack.peek()).toBe(2)
expect(stack.map((n) => n * 2)).toBeInstanceOf(Stack)
expect([...new Counter().add('a').add('a')]).toEqual([['a', 2]])
expect(new Counter().add('b')).toEqual(new Counter().add('b'))
expect(new Bag([1, 2]).total).toBe(3)`,
  ),
  one(
    'words that are names of Object.prototype',
    `export const count = (text: string) => { const found: Record<string, number> = {}
  for (const word of text.split(' ')) { const n = Object.prototype.hasOwnProperty.call(found, word) ? found[word]! : 0; found[word] = n + 1 }
  return found }`,
    'count',
    "expect(count('constructor toString constructor valueOf')).toEqual({ constructor: 2, toString: 1, valueOf: 1 })",
  ),
  one(
    'methods added to Array.prototype and String.prototype',
    `declare global { interface Array<T> { last(): T | undefined } interface String { shout(): string } }
Array.prototype.last = function () { return this[this.length - 1] }
Object.defineProperty(String.prototype, 'shout', { value(this: string) { return this.toUpperCase() } })
export const run = () => [[1, 2, 3].last(), 'a'.shout()]`,
    'run',
    "expect(run()).toEqual([3, 'A'])",
  ),
  one(
    'polyfills behind a guard, own objects with the names of built-ins, frozen ones written to',
    `if (!Array.prototype.at) Array.prototype.at = function () { return undefined }
Array.prototype.flat ??= function () { return [] }
if (!('groupBy' in Object)) Object.defineProperty(Object, 'groupBy', { value: (): unknown => ({}), configurable: true })
class Table { map = 1; toString = () => 'own' }
const own = { prototype: { map: 0 } as Record<string, number>, JSON: 1 }
own.prototype.map = 2
own.prototype['filter'] = 3
export const run = () => {
  const table = new Table()
  table.map += 1
  delete own.prototype.filter
  const frozen = Object.freeze([1])
  let refused = 0
  try { (frozen as number[])[0] = 2 } catch { refused++ }
  try { Object.assign(frozen, [5]) } catch { refused++ }
  return [table.map, String(table), own.prototype.map, refused, [1, 2].at(-1)]
}`,
    'run',
    "expect(run()).toEqual([2, 'own', 2, 2, 2])",
  ),
  one(
    'modern language: bigint, private fields, generators, proxies, labels, dates, Intl, clone',
    `export class Account { #balance = 0n; static #made = 0; constructor() { Account.#made++ }
  deposit(n: bigint) { this.#balance += n; return this } get balance() { return this.#balance } static get made() { return Account.#made } }
export function* fib() { let [a, b] = [0, 1]; for (;;) { yield a; [a, b] = [b, a + b] } }
export const proxied = new Proxy({ a: 1 } as Record<string, number>, { get: (t, k) => (k in t ? t[k as string] : 0) })
export const clone = <T>(x: T): T => structuredClone(x)
export const money = (n: number) => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(n)
export async function* ticks() { for (let i = 0; i < 3; i++) { await null; yield i } }`,
    'Account, fib, proxied, clone, money, ticks',
    `expect(new Account().deposit(5n).balance).toBe(5n)
expect(Account.made).toBe(1)
const found: number[] = []
for (const n of fib()) { if (n > 10) break; found.push(n) }
expect(found).toEqual([0, 1, 1, 2, 3, 5, 8])
expect(proxied['x']).toBe(0)
expect(clone({ d: new Date(0), m: new Map([[1, new Set([2])]]) })).toEqual({ d: new Date(0), m: new Map([[1, new Set([2])]]) })
expect(money(1234.5)).toBe('$1,234.50')
const seen: number[] = []
for await (const n of ticks()) seen.push(n)
expect(seen).toEqual([0, 1, 2])
expect(new Date(0).toISOString()).toMatch(/^1970/)`,
  ),
  one(
    'promises and timers',
    `export const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), 5))
export const fails = async () => { await later(1); throw new RangeError('no') }
export const all = () => Promise.all([later(1), later(2)])
export const order = async () => { const log: string[] = []
  const interval = setInterval(() => log.push('i'), 1); await later(0); clearInterval(interval)
  setImmediate(() => log.push('x')); process.nextTick(() => log.push('n')); queueMicrotask(() => log.push('m')); await later(0)
  return log.filter((entry) => entry !== 'i').join('') }`,
    'later, fails, all, order',
    `await expect(later(3)).resolves.toBe(3)
await expect(fails()).rejects.toThrow(RangeError)
await expect(fails()).rejects.toThrow('no')
await expect(fails()).rejects.toBeInstanceOf(Error)
await expect(fails).rejects.toThrow()
expect(await all()).toEqual([1, 2])
expect(await order()).toHaveLength(3)`,
  ),
  one(
    'matchers',
    'export const value = { a: 1, b: [1, 2, { c: 3 }], d: new Date(5), u: undefined as unknown, re: /x/g, n: NaN }',
    'value',
    `expect(value).toEqual({ a: expect.any(Number), b: expect.arrayContaining([{ c: 3 }]), d: new Date(5), re: /x/g, n: NaN })
expect(value).toMatchObject({ b: [1, 2, { c: 3 }] })
expect(value).toEqual(expect.objectContaining({ a: 1 }))
expect(value).not.toStrictEqual({ ...value, u: null })
expect(value).toStrictEqual({ ...value })
expect(value).toHaveProperty('b.2.c', 3)
expect(value).toHaveProperty(['b', '0'], 1)
expect(value.b).toContain(2)
expect(value.b).toContainEqual({ c: 3 })
expect('abc').toContain('b')
expect(0.1 + 0.2).toBeCloseTo(0.3)
expect([1, 2]).toHaveLength(2)
expect(value.n).toBeNaN()
expect(null).toBeNull()
expect(value.u).toBeUndefined()
expect(value.a).toBeDefined()
expect(3).toBeGreaterThan(2)
expect(3n).toBeLessThanOrEqual(3n)
expect('ok').toEqual(expect.stringMatching(/^o/))
expect('ok').toEqual(expect.stringContaining('k'))
expect(0.3).toEqual(expect.closeTo(0.1 + 0.2))
expect({ x: 1 }).toEqual(expect.anything())
expect([]).not.toEqual(expect.arrayContaining([1]))
expect(new Set([1, { a: 1 }])).toEqual(new Set([1, { a: 1 }]))
expect(new Map([['k', { a: 1 }]])).toEqual(new Map([['k', { a: 1 }]]))
expect(new Set([1])).not.toEqual(new Set([2]))
expect(new Uint8Array([1])).toEqual(new Uint8Array([1]))
expect(Object('x')).toEqual(Object('x'))
expect([1, [2, [3]]]).toEqual([1, [2, [3]]])
expect.assertions(29)`,
  ),
  one(
    'mocks',
    'export const each = (list: number[], visit: (n: number) => void) => list.forEach((n) => visit(n))',
    'each',
    `const visit = jest.fn()
each([1, 2], visit as (n: number) => void)
expect(visit).toHaveBeenCalledTimes(2)
expect(visit).toHaveBeenNthCalledWith(2, 2)
expect(visit).toHaveBeenCalledWith(1)
expect(visit.mock.calls).toEqual([[1], [2]])
const made = jest.fn((a: number, b: number) => a + b).mockReturnValueOnce(9)
expect([made(1, 2), made(1, 2)]).toEqual([9, 3])
const target = { f: () => 1 }
const spy = jest.spyOn(target, 'f').mockImplementation(() => 2)
expect(target.f()).toBe(2)
expect(spy).toHaveBeenCalled()
spy.mockRestore()
expect(target.f()).toBe(1)`,
  ),
  one(
    'pure parts of node',
    `import { EventEmitter } from 'node:events'
import assert from 'node:assert'
import { randomInt, createHash } from 'node:crypto'
import { format, inspect } from 'util'
import path from 'path'
export class Bus extends EventEmitter {}
export const check = (n: number) => { assert(n > 0, 'positive'); assert.strictEqual(n, n); return randomInt(n, n + 1) }
export const hash = (s: string) => createHash('sha256').update(s).digest('hex').slice(0, 4)
export const show = (x: unknown) => format('%s', inspect(x))
export const join = () => path.join('a', '..', 'b')
export const bytes = () => Buffer.from('hi').toString('hex')`,
    'Bus, check, hash, show, join, bytes',
    `const bus = new Bus(); const got: number[] = []
bus.on('n', (n: number) => got.push(n)); bus.emit('n', 1); bus.once('n', () => {}); bus.emit('n', 2)
expect(got).toEqual([1, 2])
expect(check(3)).toBe(3)
expect(() => check(-1)).toThrow('positive')
expect(hash('a')).toBe('ca97')
expect(show({ a: 1 })).toBe('{ a: 1 }')
expect(join()).toBe('b')
expect(bytes()).toBe('6869')`,
  ),
  one(
    'timers as promises, in both ways, and what stops them',
    `import { promisify } from 'node:util'
import { setImmediate as tick, setInterval as every, setTimeout as sleep } from 'node:timers/promises'
const pause = promisify(setTimeout)
export const waits = async () => [await sleep(1, 'a'), await tick('b'), await pause(1, 'c')]
export const counts = async () => { let n = 0; for await (const step of every(1, 2)) { n += step; if (n > 5) break } return n }
export const stops = (before: boolean) => { const stop = new AbortController()
  if (before) stop.abort('now'); else setTimeout(() => stop.abort('now'), 1)
  return sleep(60_000, 'late', { signal: stop.signal }) }`,
    'waits, counts, stops',
    `expect(await waits()).toEqual(['a', 'b', 'c'])
expect(await counts()).toBe(6)
for (const before of [true, false])
  await expect(stops(before)).rejects.toMatchObject({ name: 'AbortError', cause: 'now' })`,
  ),
  one(
    'events with a detail, an abort for no reason, a keyed hash',
    `import { createHmac } from 'crypto'
export const sum = () => { const target = new EventTarget(); let n = 0
  target.addEventListener('add', (event) => { n += (event as CustomEvent<number>).detail })
  target.dispatchEvent(new CustomEvent('add', { detail: 2 })); return n }
export const reason = () => { const stop = new AbortController(); stop.abort(null); return stop.signal.reason }
export const sign = (text: string) => createHmac('sha256', 'key').update(text).digest('hex').slice(0, 8)`,
    'sum, reason, sign',
    `expect(sum()).toBe(2)
expect(reason()).toBeNull()
expect(sign('a')).toBe('780c3db4')`,
  ),
  one(
    'globals a program may look at',
    `export const facts = () => [typeof process.env['HOME'], process.argv.length > 0, typeof performance.now(), typeof globalThis, new URL('http://a/b').pathname,
  new TextEncoder().encode('é').length, typeof crypto.randomUUID(), new AbortController().signal.aborted, process.memoryUsage().heapUsed > 0]
export const dispatch = () => { let n = 0; const t = new EventTarget(); t.addEventListener('x', () => n++); t.dispatchEvent(new Event('x')); return n }
Error.stackTraceLimit = 20
export const stack = () => { const o: { stack?: string } = {}; Error.captureStackTrace(o); return typeof o.stack }
export const groups = () => 'a1b2'.replace(/(?<l>[a-z])(?<n>\\d)/g, '$<n>$<l>') + [...'x1y2'.matchAll(/\\d/g)].map(String).join('')`,
    'facts, dispatch, stack, groups',
    `expect(facts()).toEqual(['undefined', true, 'number', 'object', '/b', 2, 'string', false, true])
expect(dispatch()).toBe(1)
expect(stack()).toBe('string')
expect(groups()).toBe('1a2b12')`,
  ),
  one(
    'an error that must not be mistaken for an attack',
    "export const risky = () => { try { (Object as any).freeze(null)!.x = 1; return 'ok' } catch { return 'caught' } }\nconsole.log('hello', { a: [1] }, new Proxy({}, {}))\nconsole.table([1]); console.error(new Error('shown'))",
    'risky',
    "expect(risky()).toBe('caught')",
  ),
]
