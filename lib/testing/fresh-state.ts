import { vi } from 'vitest'

// Runs before each file of a project whose files share processes, so that nothing of the file before is left in this
// one. Packages stay loaded, which is what the sharing is for; our own modules are evaluated anew with all they remember.

const shared = globalThis as Record<string | symbol, unknown>

restoreEnvironment()
await forgetGlobals()
process.exitCode = undefined
vi.resetModules()

/** The environment is the one in which this process began. */
function restoreEnvironment(): void {
  shared.environmentAtFirst ??= { ...process.env }
  const first = shared.environmentAtFirst as NodeJS.ProcessEnv
  for (const name of Object.keys(process.env)) if (!(name in first)) delete process.env[name]
  Object.assign(process.env, first)
}

/** What our modules keep on `globalThis`, where a new evaluation would find it; an open database is closed. */
async function forgetGlobals(): Promise<void> {
  const db = shared.proofboardDb as { $disconnect: () => Promise<void> } | undefined
  for (const name of Object.keys(shared)) if (name.startsWith('proofboard')) delete shared[name]
  delete shared[Symbol.for('proofboard.provider-keys')]
  await db?.$disconnect()
}
