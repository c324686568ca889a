import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { RUNNER_ENV } from './own-env.ts'
import { MARKER_VARIABLE } from './process-tree.ts'

const PASSED_ON = ['PATH', MARKER_VARIABLE] as const

type Program = {
  argv: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  /** A file that stdin reads from; null = closed, because an open pipe makes several agents wait for it. */
  stdin: string | null
}

/**
 * Runs a program in the current sandbox, with this process's output. Answers its exit code; null = it could not be
 * started or was killed. The parent of this process ends what it leaves behind.
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
 * Runs a program with this terminal, for a person to talk to, and answers its exit code: null when it could not be
 * started or was killed. The environment is whole: nothing of ours is inherited.
 */
export function runAttached(
  [program = '', ...args]: readonly string[],
  { env, cwd }: { env: Record<string, string>; cwd: string },
): Promise<number | null> {
  return new Promise((resolve) => {
    // Ctrl-C reaches the whole group of the terminal: the program decides, and we wait for it.
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
