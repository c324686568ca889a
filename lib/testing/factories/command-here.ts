import { Readable } from 'node:stream'
import { vi } from 'vitest'
import { ROOT } from '../../setup/layout.mjs'
import type { CommandEnd } from './proofboard-command.ts'
import { sharedVerifier } from './shared-verifier.ts'

/** Commands that the launcher forwards to the server's console. */
const FOR_SERVER = [
  ...[
    'ledger',
    'backup',
    'retention',
    'evidence',
    'board',
    'queue',
    'oidc',
    'tokens',
    'accounts',
    'launch',
  ],
]
const STREAMS = ['stdout', 'stderr'] as const
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const KEY_SLOT = Symbol.for('proofboard.provider-keys')

let turn: Promise<unknown> = Promise.resolve()

/**
 * Runs the command like `startProofboard`, but in this process: no program starts, no bundle is loaded. For tests of a
 * command's output; tests of the launcher, signals, kills and concurrency need real processes. Calls must not overlap.
 */
export function proofboardHere(
  dataFolder: string,
  args: readonly string[],
  more: Record<string, string> = {},
  stdin = '',
): Promise<CommandEnd> {
  const env = { PROOFBOARD_DATA_DIR: dataFolder, ...more }
  const ended = turn.then(() => runHere(args, env, stdin))
  turn = ended.catch(() => {})
  return ended
}

async function runHere(
  args: readonly string[],
  env: Record<string, string>,
  stdin: string,
): Promise<CommandEnd> {
  const restore = [
    keepEnvironment(),
    keepGlobal(KEY_SLOT),
    ...(isForServer(args) ? [keepDatabase()] : []),
    keepProcess(),
  ]
  Object.assign(process.env, env)
  Object.defineProperty(process, 'stdin', { value: Readable.from([stdin]), configurable: true })
  const data = capture()
  process.exitCode = undefined
  try {
    await callMain(args)
    return { code: Number(process.exitCode ?? 0), ...data.end() }
  } finally {
    data.end()
    for (const undo of restore.reverse()) await undo()
  }
}

/** Runs a command as the launcher, `runner/cli/proofboard.mjs`, does. */
async function callMain(args: readonly string[]): Promise<void> {
  const argv = [process.execPath, 'proofboard', ...args]
  const { takeKeys } = await import('../../setup/take-keys.mjs')
  takeKeys()
  if (isForServer(args)) {
    const { main } = await import('../../server/console/main.ts')
    return main(argv, { root: ROOT })
  }
  const { main } = await import('#runner/cli/main.ts')
  await main(argv)
}

const isForServer = ([first, second]: readonly string[]) =>
  FOR_SERVER.includes((first === 'help' ? second : first) ?? '')

type Creator = typeof import('#runner/verify/exercise/create-verifier.ts')

// Commands share the verifier of this process, unless they configure their own. Mocked here and not before the first
// command, because a test may import the command line itself.
vi.doMock('#runner/verify/exercise/create-verifier.ts', async (importOriginal) => {
  const { createVerifier } = await importOriginal<Creator>()
  return {
    createVerifier: (settings?: Parameters<Creator['createVerifier']>[0]) =>
      settings ? createVerifier(settings) : sharedVerifier(),
  }
})

/** Captures output until `end`. */
function capture(): { end: () => { stdout: string; stderr: string } } {
  const output = { stdout: '', stderr: '' }
  const usual = STREAMS.map((name) => [name, process[name].write] as const)
  for (const name of STREAMS) {
    process[name].write = (chunk: string | Uint8Array) => {
      output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      return true
    }
  }
  return {
    end() {
      for (const [name, write] of usual) process[name].write = write
      return output
    },
  }
}

function keepEnvironment(): () => void {
  const before = { ...process.env }
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

const shared = globalThis as Record<string | symbol, unknown>

/** Restores a global afterwards, because the command sets its own, such as its provider keys. */
function keepGlobal(name: string | symbol): () => void {
  const before = shared[name]
  delete shared[name]
  return () => {
    shared[name] = before
  }
}

/** Gives the command its own connection. Commands of the runner have none; a server in this process keeps its own. */
function keepDatabase(): () => Promise<void> {
  const slot = 'proofboard: database'
  const restore = keepGlobal(slot)
  return async () => {
    const own = shared[slot] as { open?: { db: { $disconnect: () => Promise<void> } } } | undefined
    await own?.open?.db.$disconnect()
    restore()
  }
}

function keepProcess(): () => void {
  const { exitCode } = process
  const umask = process.umask()
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')
  const listeners = SIGNALS.map((name) => [name, process.listeners(name)] as const)
  return () => {
    process.exitCode = exitCode
    process.umask(umask)
    if (stdin) Object.defineProperty(process, 'stdin', stdin)
    for (const [name, kept] of listeners)
      for (const listener of process.listeners(name))
        if (!kept.includes(listener)) process.removeListener(name, listener)
  }
}
