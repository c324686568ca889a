import { Readable } from 'node:stream'
import type { CommandEnd } from './proofboard-command.ts'

/** Commands that the launcher takes to the server's console. */
const FOR_SERVER = ['ledger', 'backup', 'retention', 'board', 'queue', 'oidc', 'tokens', 'accounts']
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
  const restore = [keepEnvironment(), keepGlobals(), keepProcess()]
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
  const [first, second] = args
  const isForServer = FOR_SERVER.includes((first === 'help' ? second : first) ?? '')
  const { main } = isForServer
    ? await import('../../server/console/main.ts')
    : await import('#runner/cli/main.ts')
  await main(argv)
}

/** Takes what is written from now on, until `end`. */
function capture(): { end: () => { stdout: string; stderr: string } } {
  const told = { stdout: '', stderr: '' }
  const usual = STREAMS.map((name) => [name, process[name].write] as const)
  for (const name of STREAMS) {
    process[name].write = (chunk: string | Uint8Array) => {
      told[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      return true
    }
  }
  return {
    end() {
      for (const [name, write] of usual) process[name].write = write
      return told
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

/** The command has a database connection and provider keys of its own. */
function keepGlobals(): () => Promise<void> {
  const shared = globalThis as Record<string | symbol, unknown>
  const before = { db: shared.proofboardDb, keys: shared[KEY_SLOT] }
  delete shared.proofboardDb
  delete shared[KEY_SLOT]
  return async () => {
    const own = shared.proofboardDb as { db: { $disconnect: () => Promise<void> } } | undefined
    await own?.db.$disconnect()
    shared.proofboardDb = before.db
    shared[KEY_SLOT] = before.keys
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
