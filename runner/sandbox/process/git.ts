import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Variables that lead git to another repository than its folder's (`git rev-parse --local-env-vars`): a hook sets them. */
const LEADING = new Set([
  ...['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_IMPLICIT_WORK_TREE', 'GIT_PREFIX'],
  ...['GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'],
  ...['GIT_SHALLOW_FILE', 'GIT_GRAFT_FILE', 'GIT_REPLACE_REF_BASE', 'GIT_NO_REPLACE_OBJECTS'],
  ...['GIT_NAMESPACE', 'GIT_QUARANTINE_PATH'],
])

/**
 * One git command's trimmed stdout, with this user's configuration; rejects with what git said. Never asks for
 * credentials, and works in the folder that it is given also inside a hook.
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

/** Variables of git that stay: how this user reaches other machines. */
const REACHING = new Set(['GIT_SSH', 'GIT_SSH_COMMAND'])
const MAX_OUTPUT = 512 << 20

/**
 * One git command's exact output, asked without any configuration of the system or of this user, and without variables
 * that would lead it elsewhere, as a hook sets them. Rejects with what git said.
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
    child.stdin?.on('error', () => {}) // it may end before it has read
    child.stdin?.end(input ?? '')
  })
}

function ourEnv(isKept: (name: string) => boolean): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => isKept(name))
  return Object.fromEntries(kept) as unknown as NodeJS.ProcessEnv // Next's types want NODE_ENV
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
