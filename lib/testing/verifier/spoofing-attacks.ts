import { type ExerciseAttack, IS_42, WRONG } from './exercise-input.ts'

/** Values and errors that misreport themselves. */
export const SPOOFING_ATTACKS: readonly ExerciseAttack[] = [
  {
    name: 'asymmetricMatch',
    body: 'expect(answer()).toEqual({ a: 1 })',
    solution: 'export const answer = () => ({ asymmetricMatch: () => true })',
  },
  {
    name: '$$typeof',
    body: 'expect(answer()).toEqual({ a: 1 })',
    solution:
      "export const answer = () => ({ $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true, toAsymmetricMatcher: () => '' })",
  },
  {
    name: 'proxy vs toBe',
    body: 'expect(answer()).toBe(42)',
    solution: 'export const answer = () => new Proxy({}, { get: () => 42 })',
  },
  {
    name: 'proxy vs toEqual',
    body: 'expect(answer()).toEqual({ a: 1, b: [2] })',
    solution:
      'export const answer = () => new Proxy({}, { get: (_, k) => k === "asymmetricMatch" ? () => true : 1, has: () => true, ownKeys: () => [], getOwnPropertyDescriptor: () => ({ value: 1, configurable: true, enumerable: true }) })',
  },
  {
    name: 'proxy vs toMatchObject',
    body: 'expect(answer()).toMatchObject({ a: 7 })',
    solution:
      'export const answer = () => new Proxy({}, { get: () => 1, has: () => true, getOwnPropertyDescriptor: () => ({ value: 1, configurable: true, enumerable: true }) })',
  },
  {
    name: 'valueOf and toPrimitive',
    body: 'expect(answer()).toEqual(42)',
    solution:
      'export const answer = () => ({ valueOf: () => 42, toJSON: () => 42, toString: () => "42", [Symbol.toPrimitive]: () => 42 })',
  },
  {
    name: 'boxed number',
    body: 'expect(answer()).toEqual(42)',
    solution: 'export const answer = () => new Number(42)',
  },
  {
    name: 'toStringTag Number',
    body: 'expect(answer()).toEqual(42)',
    solution: 'export const answer = () => ({ [Symbol.toStringTag]: "Number", valueOf: () => 42 })',
  },
  {
    name: 'toStringTag RegExp vs RegExp',
    body: 'expect(answer()).toEqual(/a/)',
    solution:
      'export const answer = () => ({ [Symbol.toStringTag]: "RegExp", source: "a", flags: "" })',
  },
  {
    name: 'lying Set',
    body: 'expect(answer()).toEqual(new Set([1, 2]))',
    solution:
      'export const answer = () => { const s: any = new Set([8, 9]); s[Symbol.iterator] = function* () {}; return s }',
  },
  {
    name: 'something that says it is a Set',
    body: 'expect(answer()).toEqual(new Set([1, 2]))',
    solution:
      'export const answer = () => ({ constructor: Set, size: 2, [Symbol.toStringTag]: "Set", *[Symbol.iterator]() {} })',
  },
  {
    name: 'lying Map',
    body: 'expect(answer()).toEqual(new Map([[1, 2]]))',
    solution:
      'export const answer = () => { const m: any = new Map([[3, 4]]); m[Symbol.iterator] = function* () {}; return m }',
  },
  {
    name: 'array with its own some',
    body: 'expect(answer()).toEqual(expect.arrayContaining([1, 2]))',
    solution: 'export const answer = () => Object.assign([], { some: () => true })',
  },
  {
    name: 'string-like vs stringContaining',
    body: 'expect(answer()).toEqual(expect.stringContaining("right"))',
    solution:
      'export const answer = () => ({ [Symbol.toStringTag]: "String", includes: () => true })',
  },
  {
    name: 'Symbol.hasInstance vs toThrow',
    body: 'expect(() => { throw new Error("x") }).toThrow(answer as any); expect(1).toBe(1)',
    solution: 'export class answer { static [Symbol.hasInstance]() { return true } }',
  },
  {
    name: 'Symbol.hasInstance vs toBeInstanceOf',
    body: 'expect({}).toBeInstanceOf(answer)',
    solution: 'export class answer { static [Symbol.hasInstance]() { return true } }',
  },
  {
    name: 'message that becomes a liar',
    body: "expect(answer).toThrow('right')",
    solution:
      "export const answer = () => { let n = 0; throw Object.defineProperty(new Error(), 'message', { get: () => n++ ? { includes: () => true } : 'wrong' }) }",
  },
  {
    name: 'message with its own includes',
    body: "expect(answer).toThrow('right')",
    solution:
      "export const answer = () => { throw { message: Object.assign(new String('wrong'), { includes: () => true }) } }",
  },
  {
    name: 'regexp-like expectation',
    body: "expect(() => { throw new Error('x') }).toThrow(answer as any)",
    solution: 'export const answer = { test: () => true }',
  },
  {
    name: 'thenable that swallows the matcher',
    body: 'await expect(answer() as any).resolves.toBe(42)',
    solution: 'export const answer = () => ({ then: () => ({ then: (ok: any) => ok() }) })',
  },
  {
    name: 'promise with its own then',
    body: 'await expect(answer()).resolves.toBe(42)',
    solution:
      'export const answer = () => Object.assign(Promise.resolve(41), { then: (_: any) => Promise.resolve() })',
  },
  {
    name: 'thenable that rejects nothing',
    body: 'await expect(answer() as any).rejects.toThrow("right")',
    solution:
      'export const answer = () => ({ then: (_: any, no: any) => { no(new Error("wrong")); return { then: (ok: any) => ok() } } })',
  },
  {
    name: 'returned thenable skips the assertions',
    body: 'return (answer() as any).then((value: any) => expect(value).toBe(42))',
    solution: 'export const answer = () => ({ then: () => ({ then: (ok: any) => ok() }) })',
  },
  {
    name: 'callback with the assertion is never called',
    body: '(answer as any)((value: any) => expect(value).toBe(42))',
    solution: 'export const answer = () => {}',
  },
  {
    name: 'assertion error swallowed',
    body: '(answer as any)((value: any) => expect(value).toBe(42))',
    solution: 'export const answer = (f: any) => { try { f(41) } catch {} }',
  },
  {
    name: 'expected value read from the assertion error',
    body: '(answer as any)((value: any) => expect(value).toBe(42))',
    solution:
      'export const answer = (f: any) => { try { f(0) } catch (e: any) { f(e.matcherResult.expected) } }',
  },
  {
    name: 'throws null',
    body: 'expect(answer()).toBe(42)',
    solution: 'export const answer = () => { throw null }',
  },
  {
    name: 'throws a revoked proxy',
    body: 'expect(answer()).toBe(42)',
    solution:
      'export const answer = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy }',
  },
  {
    name: 'throws an object with throwing getters',
    body: 'expect(answer()).toBe(42)',
    solution:
      'export const answer = () => { throw { get stack() { throw 1 }, get message() { throw 2 }, toString() { throw 3 } } }',
  },
  {
    name: 'throws a proxy that throws',
    body: 'expect(answer()).toBe(42)',
    solution:
      'export const answer = () => { throw new Proxy(function () {}, { get() { throw 1 }, getPrototypeOf() { throw 2 } }) }',
  },
  { name: 'throws at import', body: IS_42, solution: `throw new Error('no')\n${WRONG}` },
  { name: 'throws null at import', body: IS_42, solution: `throw null\n${WRONG}` },
  {
    name: 'fake mock',
    body: 'expect(answer as any).toHaveBeenCalledTimes(2)',
    solution:
      'export const answer = Object.assign(() => {}, { _isMockFunction: true, getMockName: () => "", mock: { calls: [[], []] } })',
  },
  {
    name: 'fake spy',
    body: 'expect(answer as any).toHaveBeenCalled()',
    solution: 'export const answer = { calls: { all: () => [{ args: [] }], count: () => 1 } }',
  },
  {
    name: '__proto__ games',
    body: 'expect(answer()).toEqual({ a: 1 })',
    solution: 'export const answer = () => ({ __proto__: { asymmetricMatch: () => true, a: 1 } })',
  },
  {
    name: 'immutable marks',
    body: 'expect(answer()).toEqual(new Map([[1, 2]]))',
    solution:
      "export const answer = () => ({ constructor: Map, '@@__IMMUTABLE_KEYED__@@': true, size: 1, *[Symbol.iterator]() {} })",
  },
  {
    name: 'unhandled rejection',
    body: 'expect(1).toBe(1); answer()',
    solution: "export const answer = () => { Promise.reject(new Error('later')) }",
  },
  {
    name: 'error in a timer',
    body: 'answer(); await new Promise((r) => setTimeout(r, 20)); expect(1).toBe(1)',
    solution: "export const answer = () => { setTimeout(() => { throw new Error('later') }, 1) }",
  },
]

const quiet = (name: string, code: string, finding: string): ExerciseAttack => ({
  name,
  body: IS_42,
  solution: `${WRONG}\ntry { ${code} } catch {}\n`,
  finding,
})

/** Attempts that change nothing and swallow their own failure: they are named all the same. */
export const SILENT_ATTACKS: readonly ExerciseAttack[] = [
  quiet('asks for fs', "require('fs')", 'refused-module'),
  quiet(
    'asks for node:child_process',
    "require('node:child_process').execSync('id')",
    'refused-module',
  ),
  quiet('asks for v8', "require('v8').getHeapSnapshot()", 'refused-module'),
  quiet('asks for vm', "require('vm')", 'refused-module'),
  quiet('asks for the inspector', "new (require('inspector').Session)()", 'refused-module'),
  quiet('asks for process.binding', "(process as any).binding('fs')", 'reached-for-internals'),
  quiet(
    'asks for getBuiltinModule',
    "(process as any).getBuiltinModule('fs')",
    'reached-for-internals',
  ),
  quiet('asks for handles', '(process as any)._getActiveHandles()', 'reached-for-internals'),
  quiet('assigns a method', 'Array.prototype.map = (() => []) as any', 'builtin-changed'),
  quiet(
    'assigns through an alias',
    'const list = Array.prototype as any; list.every = () => true',
    'builtin-changed',
  ),
  quiet(
    'assigns by a computed key',
    "const key = 'stringify'; (JSON as any)[key] = () => '42'",
    'builtin-changed',
  ),
  quiet('assigns a global', '(globalThis as any).Map = class {}', 'builtin-changed'),
  quiet('deletes a method', 'delete (Array.prototype as any).map', 'builtin-changed'),
  quiet(
    'defines a method',
    "Object.defineProperty(Array.prototype, 'map', { value: () => [] })",
    'builtin-changed',
  ),
  quiet('reflects', "Reflect.set(String.prototype, 'trim', () => '42')", 'builtin-changed'),
  quiet('merges', 'Object.assign(Math, { floor: () => 42 })', 'builtin-changed'),
  quiet(
    'moves a prototype',
    'Object.setPrototypeOf(Array.prototype, { then() {} })',
    'builtin-changed',
  ),
  quiet('sets toString', 'Object.prototype.toString = () => "42"', 'builtin-changed'),
  quiet('exits', 'process.exit(0)', 'exit-attempt'),
]
