import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { RUNNER_ENV } from './own-env.ts'
import { MARKER_VARIABLE } from './process-tree.ts'

const PASSED_ON = ['PATH', MARKER_VARIABLE] as const

type Program = {
  argv: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  /** A file for stdin; null = closed, because several agents wait for an open pipe. */
  stdin: string | null
}

/**
 * Runs a program in the current sandbox with this process's output. Returns its exit code; null = not started, or
 * killed. The parent of this process ends whatever it leaves behind.
 */
export async function runInForeground({ argv, env, cwd, stdin }: Program): Promise<number | null> {
  const [program = '', ...args] = argv
  const passed = PASSED_ON.flatMap((name) => (RUNNER_ENV[name] ? [[name, RUNNER_ENV[name]]] : []))
  const input = stdin === null ? null : openSync(stdin, 'r')
  try {
    const child = spawn(program, args, {
      cwd,
      env: { ...env, ...Object.fromEntries(passed) },
      stdio: [input ?? 'ignore', 'inherit', 'inherit'],
    })
    return await new Promise((resolve) => {
      child.once('error', () => resolve(null))
      child.once('exit', (code) => resolve(code))
    })
  } finally {
    if (input !== null) closeSync(input)
  }
}

/**
 * Runs a program attached to this terminal for interactive use. Returns its exit code; null = not started, or killed.
 * `env` is the complete environment: nothing is inherited.
 */
export function runAttached(
  [program = '', ...args]: readonly string[],
  { env, cwd }: { env: Record<string, string>; cwd: string },
): Promise<number | null> {
  return new Promise((resolve) => {
    // Ctrl-C reaches the whole foreground group: the program decides, and this process waits.
    const wait = () => {}
    process.on('SIGINT', wait)
    const child = spawn(program, args, {
      env: env as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
      cwd,
      stdio: 'inherit',
    })
    const end = (code: number | null) => {
      process.off('SIGINT', wait)
      resolve(code)
    }
    child.once('error', () => end(null))
    child.once('exit', end)
  })
}
