import { LANGUAGE_GLOBALS } from './intrinsics.ts'

const { defineProperty, getOwnPropertyDescriptor } = Object
const { ownKeys } = Reflect

/** All else that node adds is deleted or replaced by objects of ours: no network, no channels, no workers. */
const KEPT: readonly string[] = ['globalThis', 'global']

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

function lockGlobal(key: PropertyKey): void {
  const found = getOwnPropertyDescriptor(globalThis, key)
  if (!found?.configurable || !('value' in found)) return
  defineProperty(globalThis, key, { ...found, writable: false, configurable: false })
}
