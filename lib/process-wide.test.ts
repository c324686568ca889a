import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { processWide } from './process-wide.ts'

describe('what a process has once', () => {
  it('is made once, and is the same for another copy of this module', async () => {
    const make = vi.fn(() => new Map())
    const first = processWide('a test', make)
    vi.resetModules()
    const other = await import('./process-wide.ts')
    expect(other.processWide).not.toBe(processWide)
    expect(other.processWide('a test', make)).toBe(first)
    expect(make).toHaveBeenCalledOnce()
  })

  it('is not a variable of a module that the server loads, unless two of it only work twice', () => {
    const folders = ['lib/db', 'lib/server']
    const found = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => /^(?!generated\/|.*\.test\.ts$).*\.ts$/.test(path))
        .flatMap((path) => variablesOf(join(folder, path))),
    )
    expect(found.sort()).toEqual(HARMLESS)
  })
})

/** Caches of what can be recomputed, and references that keep an object alive. */
const HARMLESS = [
  'lib/db/regrade-store.ts copied',
  'lib/db/sqlite-file.ts reading',
  'lib/server/accounts/auth.ts created',
  'lib/server/board/compare.ts cached',
  'lib/server/board/compare.ts last',
  'lib/server/care/disk-state.ts measured',
  'lib/server/care/disk-state.ts measuring',
  'lib/server/evidence/configured-store.ts probed',
  'lib/server/launch/list-choices.ts cached',
]

/** Mutable module-level variables: empty collections, and variables that are reassigned. */
const VARIABLE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: [^=]+)? = (?:new (?:Map|Set|WeakMap|WeakSet|AsyncLocalStorage)(?:<.+>)?\(\)|\[\]|\{\})$)/gm

function variablesOf(path: string): string[] {
  const matches = [...readFileSync(path, 'utf8').matchAll(VARIABLE)]
  const names = matches.map(([, assigned, collection]) => assigned ?? collection ?? '')
  // Names in capitals are constants.
  return names.filter((name) => !/^[A-Z_]+$/.test(name)).map((name) => `${path} ${name}`)
}
