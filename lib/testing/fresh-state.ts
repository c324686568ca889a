import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'

// Runs before each file of a project whose files share processes, to remove all state of the previous file. Packages
// stay loaded, which is the reason for sharing, and so do pure modules; other modules of the project are evaluated
// again.

/** Vitest itself, as in `vi.resetModules`, and the project's pure modules. */
const STAYS = /\/vitest\/dist\/|@vitest\/|vitest-virtual|^mock:/
const PURE = ['lib/domain', 'lib/db/generated'].map((folder) => join(process.cwd(), folder, '/'))

type VitestWorker = {
  evaluatedModules?: { idToModuleMap?: Map<string, { importers: Set<string> }> }
}

const shared = globalThis as Record<string | symbol, unknown>

restoreEnvironment()
await forgetGlobals()
forgetListeners()
process.exitCode = undefined
forgetModules()
if (process.env.PROOFBOARD_TEST_DATABASE === 'postgresql') await openServer()

/**
 * Like `vi.resetModules`, except for pure modules, which have no state and import none: evaluating them again took a
 * sixth of the CPU time. Vitest has no public way to exclude modules.
 */
function forgetModules(): void {
  const { __vitest_worker__: worker } = shared as { __vitest_worker__?: VitestWorker }
  const modules = worker?.evaluatedModules?.idToModuleMap
  if (!(modules instanceof Map)) {
    vi.resetModules()
    return
  }
  for (const [path, loaded] of modules) {
    if (STAYS.test(path) || PURE.some((folder) => path.startsWith(folder))) continue
    Object.assign(loaded, { promise: undefined, exports: undefined, evaluated: false })
    loaded.importers.clear()
  }
}

/**
 * Opens the file's own database, for code that reads the environment; databases in test folders are opened separately.
 */
async function openServer(): Promise<void> {
  const { postgresDatabase } = await import('./factories/postgres.ts')
  process.env.DATABASE_URL = (await postgresDatabase()).url
}

/** Restores the environment that this process started with, with a temporary folder that no other test process uses. */
function restoreEnvironment(): void {
  shared.environmentAtFirst ??= { ...process.env, ...ownTemporary() }
  const first = shared.environmentAtFirst as NodeJS.ProcessEnv
  for (const name of Object.keys(process.env)) if (!(name in first)) delete process.env[name]
  Object.assign(process.env, first)
}

/** `npm test` removes its temporary folder at the end; a test run by hand uses the usual one. */
function ownTemporary(): { TMPDIR?: string } {
  const { PROOFBOARD_TEST_FOLDER: whole, VITEST_POOL_ID: worker } = process.env
  if (whole === undefined) return {}
  const TMPDIR = join(whole, `${worker}`)
  mkdirSync(TMPDIR, { recursive: true })
  chmodSync(TMPDIR, 0o1777) // a test may start programs as another user
  return { TMPDIR }
}

/**
 * Removes state that modules keep on `globalThis`, where a new evaluation would find it. Open streams are ended as by a
 * server that stops, because they poll a database; then the database is closed.
 */
async function forgetGlobals(): Promise<void> {
  const { 'proofboard: database': database, 'proofboard: drain': drain } = shared as {
    'proofboard: drain'?: AbortController
    'proofboard: database'?: { open: { db: { $disconnect: () => Promise<void> } } | null }
  }
  drain?.abort()
  for (const name of Object.keys(shared)) if (name.startsWith('proofboard')) delete shared[name]
  delete shared[Symbol.for('proofboard.provider-keys')]
  // A stream may have polled once more after its folder was removed; such a client never opened anything.
  await database?.open?.db.$disconnect().catch(() => undefined)
}

/** Removes signal listeners, which keep signals from ending this process. */
function forgetListeners(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    shared[`${name} at first`] ??= process.listeners(name)
    const first = shared[`${name} at first`] as NodeJS.SignalsListener[]
    for (const listener of process.listeners(name))
      if (!first.includes(listener)) process.removeListener(name, listener)
  }
}
