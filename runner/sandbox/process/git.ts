import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Variables that point git to another repository than its working folder (`git rev-parse --local-env-vars`); hooks set
 * them.
 */
const LEADING = new Set([
  ...['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_IMPLICIT_WORK_TREE', 'GIT_PREFIX'],
  ...['GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'],
  ...['GIT_SHALLOW_FILE', 'GIT_GRAFT_FILE', 'GIT_REPLACE_REF_BASE', 'GIT_NO_REPLACE_OBJECTS'],
  ...['GIT_NAMESPACE', 'GIT_QUARANTINE_PATH'],
])

/**
 * Runs one git command with this user's configuration and returns its trimmed stdout; rejects with git's error message.
 * Never asks for credentials. Works in the given folder, also inside a hook.
 */
export async function git(
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<string> {
  const env = {
    ...ourEnv((name) => !LEADING.has(name)),
    ...more,
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
  }
  const { stdout } = await run('git', [...args], { env, timeout: 300_000, maxBuffer: 16 << 20 })
  return stdout.trim()
}

/** Git variables that are kept, because they configure how this user reaches other machines. */
const REACHING = new Set(['GIT_SSH', 'GIT_SSH_COMMAND'])
const MAX_OUTPUT = 512 << 20

/**
 * Runs one git command without configuration of the system or user, and without variables that a hook sets, and returns
 * its exact output. Rejects with git's error message.
 */
export function plainGit(args: readonly string[], input?: string): Promise<Buffer> {
  const env = {
    ...ourEnv((name) => !name.startsWith('GIT_') || REACHING.has(name)),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_LAZY_FETCH: '1',
  }
  return new Promise((resolve, reject) => {
    const options = { env, timeout: 600_000, maxBuffer: MAX_OUTPUT, encoding: 'buffer' } as const
    const child = execFile('git', [...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(stderr.toString('utf8').trim() || error.message))
    })
    child.stdin?.on('error', () => {}) // It may exit before it has read its input.
    child.stdin?.end(input ?? '')
  })
}

function ourEnv(isKept: (name: string) => boolean): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => isKept(name))
  return Object.fromEntries(kept) as unknown as NodeJS.ProcessEnv // Next's types want NODE_ENV
}

/** Commit and cleanliness of a checkout; nulls if git or the checkout is missing. */
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
