const { getOwnPropertyDescriptor, getPrototypeOf } = Object
const { ownKeys } = Reflect

/** Names of the language's own globals; what Node adds is chosen in sandbox-globals.ts. */
export const LANGUAGE_GLOBALS: readonly string[] = [
  'Object',
  'Function',
  'Array',
  'Number',
  'parseFloat',
  'parseInt',
  'Infinity',
  'NaN',
  'undefined',
  'Boolean',
  'String',
  'Symbol',
  'Date',
  'Promise',
  'RegExp',
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'JSON',
  'Math',
  'Intl',
  'ArrayBuffer',
  'Atomics',
  'Uint8Array',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
  'Uint8ClampedArray',
  'BigUint64Array',
  'BigInt64Array',
  'DataView',
  'Map',
  'BigInt',
  'Set',
  'Iterator',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'Proxy',
  'Reflect',
  'FinalizationRegistry',
  'SharedArrayBuffer',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'escape',
  'unescape',
  'eval',
  'isFinite',
  'isNaN',
  'WebAssembly',
]

/** Objects of the language that no global name leads to. */
function hiddenRoots(): unknown[] {
  return [
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''.matchAll(/x/g),
    function* () {},
    async function* () {},
    async () => {},
    (function* () {})(),
    (async function* () {})(),
  ]
}

/** Every object that hostile code could reach from the language itself, the prototypes and accessors included. */
export function collectIntrinsics(extraRoots: readonly unknown[]): object[] {
  const seen = new Set<object>()
  const waiting: unknown[] = [...hiddenRoots(), ...extraRoots]
  for (const name of LANGUAGE_GLOBALS) waiting.push((globalThis as Record<string, unknown>)[name])
  while (waiting.length > 0) {
    const value = waiting.pop()
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) continue
    if (value === globalThis || seen.has(value)) continue
    seen.add(value)
    waiting.push(getPrototypeOf(value))
    for (const key of ownKeys(value)) {
      const { value: inner, get, set } = getOwnPropertyDescriptor(value, key) as PropertyDescriptor
      waiting.push(inner, get, set)
    }
  }
  return [...seen]
}
