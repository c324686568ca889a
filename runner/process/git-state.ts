import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Commit and cleanliness of a checkout; nulls where there is no git or no checkout. */
export async function gitState(folder: string): Promise<{ commit: string | null; dirty: boolean | null }> {
  const git = (...args: string[]) =>
    run('git', ['-C', folder, '--no-optional-locks', ...args], { timeout: 5000 }).then(({ stdout }) => stdout.trim(), () => null)
  const [commit, status] = await Promise.all([git('rev-parse', 'HEAD'), git('status', '--porcelain')])
  return { commit, dirty: status === null ? null : status !== '' }
}
