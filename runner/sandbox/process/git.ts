import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** One git command's trimmed stdout; rejects with what git said. Never asks for credentials. */
export async function git(
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<string> {
  const env = { ...process.env, ...more, GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1' }
  const { stdout } = await run('git', [...args], { env, timeout: 300_000, maxBuffer: 16 << 20 })
  return stdout.trim()
}

/** Commit and cleanliness of a checkout; nulls where there is no git or no checkout. */
export async function gitState(
  folder: string,
): Promise<{ commit: string | null; dirty: boolean | null }> {
  const ask = (...args: string[]) =>
    git(['-C', folder, '--no-optional-locks', ...args]).catch(() => null)
  const [commit, status] = await Promise.all([
    ask('rev-parse', 'HEAD'),
    ask('status', '--porcelain'),
  ])
  return { commit, dirty: status === null ? null : status !== '' }
}
