import { Readable } from 'node:stream'
import { vi } from 'vitest'
import { ROOT } from '../../setup/layout.mjs'
import type { CommandEnd } from './proofboard-command.ts'
import { sharedVerifier } from './shared-verifier.ts'

/** Commands that the launcher takes to the server's console. */
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
 * What `startProofboard` answers, from the same command in this process: no program starts, no bundle is loaded. For
 * tests of what a command answers; launcher, signals, kills and two at once take real processes. One after another.
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
  const said = capture()
  process.exitCode = undefined
  try {
    await callMain(args)
    return { code: Number(process.exitCode ?? 0), ...said.end() }
  } finally {
    said.end()
    for (const undo of restore.reverse()) await undo()
  }
}

/** As the launcher does it: `runner/cli/proofboard.mjs`. */
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

// Commands share the verifier of this process; one with settings of its own is made as ever. Said here and not before the
// first command, because a test may import the command line itself.
vi.doMock('#runner/verify/exercise/create-verifier.ts', async (importOriginal) => {
  const { createVerifier } = await importOriginal<Creator>()
  return {
    createVerifier: (settings?: Parameters<Creator['createVerifier']>[0]) =>
      settings ? createVerifier(settings) : sharedVerifier(),
  }
})

/** Takes what is written from now on, until `end`. */
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

/** The command has its own, for example its provider keys. */
function keepGlobal(name: string | symbol): () => void {
  const before = shared[name]
  delete shared[name]
  return () => {
    shared[name] = before
  }
}

/** A connection of its own, too. Commands of the runner have none: a server in this process goes on with its own. */
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
