import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'

// Runs before each file of a project whose files share processes, so that nothing of the file before is left in this
// one. Packages stay loaded, which is what the sharing is for, and so does what is pure; our own other modules are
// evaluated again with all they remember.

/** Vitest itself, as `vi.resetModules` has it, and of ours what is pure. */
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
 * `vi.resetModules` for all but the pure modules, which remember nothing and import nothing that does: to evaluate them
 * again for each file took a sixth of the processors' time. Vitest has no public way to name modules that stay.
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

/** The file's own database, for what reads the environment; those that stand in a test folder are made beside it. */
async function openServer(): Promise<void> {
  const { postgresDatabase } = await import('./factories/postgres.ts')
  process.env.DATABASE_URL = (await postgresDatabase()).url
}

/** The environment is the one in which this process began, with temporary files where no other process's tests look. */
function restoreEnvironment(): void {
  shared.environmentAtFirst ??= { ...process.env, ...ownTemporary() }
  const first = shared.environmentAtFirst as NodeJS.ProcessEnv
  for (const name of Object.keys(process.env)) if (!(name in first)) delete process.env[name]
  Object.assign(process.env, first)
}

/** A run by `npm test` has a folder that is removed at its end; by hand there is only the usual one. */
function ownTemporary(): { TMPDIR?: string } {
  const { PROOFBOARD_TEST_FOLDER: whole, VITEST_POOL_ID: worker } = process.env
  if (whole === undefined) return {}
  const TMPDIR = join(whole, `${worker}`)
  mkdirSync(TMPDIR, { recursive: true })
  chmodSync(TMPDIR, 0o1777) // what a test starts may be another user
  return { TMPDIR }
}

/**
 * What our modules keep on `globalThis`, where a new evaluation would find it. Streams that a file left open are ended
 * as by a server that stops, because they look at a database again and again; then that is closed.
 */
async function forgetGlobals(): Promise<void> {
  const { 'proofboard: database': database, 'proofboard: drain': drain } = shared as {
    'proofboard: drain'?: AbortController
    'proofboard: database'?: { open: { db: { $disconnect: () => Promise<void> } } | null }
  }
  drain?.abort()
  for (const name of Object.keys(shared)) if (name.startsWith('proofboard')) delete shared[name]
  delete shared[Symbol.for('proofboard.provider-keys')]
  // A stream may have asked once more after its folder was removed: such a client never opened anything.
  await database?.open?.db.$disconnect().catch(() => undefined)
}

/** Signal listeners keep signals from ending this process. */
function forgetListeners(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    shared[`${name} at first`] ??= process.listeners(name)
    const first = shared[`${name} at first`] as NodeJS.SignalsListener[]
    for (const listener of process.listeners(name))
      if (!first.includes(listener)) process.removeListener(name, listener)
  }
}
