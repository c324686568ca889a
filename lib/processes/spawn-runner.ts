import { execa } from 'execa'
import { refusalAnswerSchema } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { env, providerKeys, runnerEnv } from '#lib/env.ts'

export type RunnerEnding = {
  exitCode: number | null
  signal: string | null
  /** The last message on stderr, of an error its message; empty = none. */
  lastMessage: string
}

export type RunnerListener = { onStdout: (line: string) => void; onStderr?: (line: string) => void }

/** Time for a stopping runner to close its resources. */
const STOP_MS = 20_000
/** For commands that stop when stdin closes; all others are ended by a signal. */
export const STOPS_WITH_STDIN = '--stop-with-stdin'

/**
 * Starts the runner's command line and resolves when it has ended; never rejects, however it ended. Its stdin is a pipe
 * that closes when `signal` fires, and also when this process is killed, so that no runner outlives its worker.
 */
export async function spawnRunner(
  args: readonly string[],
  { onStdout, onStderr }: RunnerListener,
  signal: AbortSignal,
): Promise<RunnerEnding> {
  const { root, runnerPath } = env()
  const child = execa(process.execPath, [runnerPath, ...args], {
    cwd: root,
    env: { ...runnerEnv(), PROOFBOARD_DATA_DIR: env().dataDir, PROOFBOARD_KEYS_FD: '3' },
    extendEnv: false,
    // The fourth is read once, before anything is started: a subject of the same user can read an environment.
    stdio: ['pipe', 'pipe', 'pipe', Buffer.from(JSON.stringify(providerKeys()))],
    buffer: false,
    reject: false,
    // A process group of its own: Ctrl-C in a terminal reaches only this process, which ends the runner in order.
    detached: true,
  })
  child.stdin.on('error', () => {}) // it may end before stdin is closed
  const stop = () => {
    child.stdin.end()
    if (!args.includes(STOPS_WITH_STDIN)) child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), STOP_MS).unref()
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    let lastMessage = ''
    const listen = async () => {
      for await (const line of child.iterable({ from: 'stdout' })) onStdout(line)
    }
    const waitForEnd = async () => {
      for await (const line of child.iterable({ from: 'stderr' })) {
        if (!BELOW_ERROR.test(line)) lastMessage = line.replace(/ \{$/, '').trim()
        onStderr?.(line)
      }
    }
    const [result] = await Promise.all([child, listen(), waitForEnd()])
    return { exitCode: result.exitCode ?? null, signal: result.signal ?? null, lastMessage }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Lines that Node.js prints after an error's message: the stack, its fields, the version. */
const BELOW_ERROR = /^(\s|[\]})]*,?$|Node\.js v\d)/

/**
 * Runs a command that prints JSON as the last line of its stdout. Never throws: returns null or the runner's refusals
 * on failure.
 */
export async function queryRunner(args: readonly string[], signal: AbortSignal) {
  let lastLine = ''
  const onStdout = (line: string) => {
    if (line.trim()) lastLine = line
  }
  const ending = await spawnRunner(args, { onStdout }, signal)
  const output = parseJson(lastLine) ?? null
  if (ending.exitCode === 0) return { ending, output, refusals: [] }
  const refused = refusalAnswerSchema.safeParse(output)
  return { ending, output: null, refusals: refused.success ? refused.data.refusals : [] }
}
