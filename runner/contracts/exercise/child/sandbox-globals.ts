import { LANGUAGE_GLOBALS } from './intrinsics.ts'

const { defineProperty, getOwnPropertyDescriptor } = Object
const { ownKeys } = Reflect

/** What stays of Node's own globals, beside the replacements. No network, no channels, no workers. */
const KEPT: readonly string[] = [
  'globalThis',
  'global',
  'queueMicrotask',
  'structuredClone',
  'atob',
  'btoa',
  'URL',
  'URLSearchParams',
  'TextEncoder',
  'TextDecoder',
  'AbortController',
  'AbortSignal',
  'Event',
  'EventTarget',
  'DOMException',
]

/** Makes the global object what a solution and its tests may see; everything named stays as it is now. */
export function setSandboxGlobals(replacements: Record<string, unknown>): void {
  const language = new Set<PropertyKey>([...LANGUAGE_GLOBALS, ...KEPT])
  for (const key of ownKeys(globalThis)) {
    if (language.has(key)) lockGlobal(key)
    else if (typeof key === 'string' && !(key in replacements))
      Reflect.deleteProperty(globalThis, key)
  }
  for (const [key, value] of Object.entries(replacements)) {
    const writable = key === 'console'
    Reflect.deleteProperty(globalThis, key)
    defineProperty(globalThis, key, { value, writable, enumerable: false, configurable: false })
  }
}

/** Node's lazy globals stay lazy: nothing of ours asks for them, so they need no lock. */
function lockGlobal(key: PropertyKey): void {
  const found = getOwnPropertyDescriptor(globalThis, key)
  if (!found?.configurable || !('value' in found)) return
  defineProperty(globalThis, key, { ...found, writable: false, configurable: false })
}
