import { execa } from 'execa'

/** What a program prints on both streams within a time limit; stdin is closed, nothing of ours is inherited. */
export async function captureOutput(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string>; timeoutMs: number },
): Promise<string> {
  const { all } = await execa(program, args, {
    cwd: options.cwd,
    env: options.env,
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    reject: false,
    timeout: options.timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: 64 << 10,
  })
  return all ?? ''
}
