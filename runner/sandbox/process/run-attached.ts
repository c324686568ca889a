import { spawn } from 'node:child_process'

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
