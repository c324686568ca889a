import { type ExecFileException, execFile } from 'node:child_process'

/** Environment for tools of this machine: only a search path. */
export const TOOL_ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }

/** Returns a command as arguments; a text is run by the shell. */
export function toArgv(command: string | readonly string[]): readonly string[] {
  return typeof command === 'string' ? ['/bin/sh', '-c', command] : command
}

/** Ending of a tool; `code` is null if it could not be started, was killed, or timed out. */
export type ToolEnding = {
  code: number | null
  /** `timeout`, or the signal that ended it; null = it exited. */
  endedBy: string | null
  stdout: string
  stderr: string
}

/**
 * Runs a trusted tool (bwrap, docker) and returns how it ended. Never throws. `env` is the complete environment:
 * nothing is inherited.
 */
export function runTool(
  argv: readonly string[],
  options: {
    env: Record<string, string>
    timeoutMs: number
    cwd?: string
    input?: string
    /** The user that it is started as; absent = the runner's. Needs root. */
    user?: { uid: number; gid: number }
    /** Ends the tool. */
    signal?: AbortSignal
    /** Receives its stderr while it runs. */
    onStderr?: (text: string) => void
  },
): Promise<ToolEnding> {
  const [program = '', ...args] = argv
  const { env, timeoutMs, cwd = '/', input, user, signal, onStderr } = options
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      {
        env: env as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
        cwd,
        ...user,
        ...(signal && { signal }),
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: 16 << 20,
      },
      (error, stdout, stderr) =>
        resolve({ ...describeEnd(error), stdout, stderr: stderr || (error?.message ?? '') }),
    )
    if (onStderr) child.stderr?.on('data', (text: unknown) => onStderr(String(text)))
    child.stdin?.on('error', () => {}) // it may exit before it has read its input
    if (input !== undefined) child.stdin?.end(input)
  })
}

function describeEnd(error: ExecFileException | null): Pick<ToolEnding, 'code' | 'endedBy'> {
  if (error === null) return { code: 0, endedBy: null }
  const code = typeof error.code === 'number' ? error.code : null
  return { code, endedBy: error.killed ? 'timeout' : (error.signal ?? null) }
}
