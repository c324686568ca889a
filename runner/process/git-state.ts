import { git } from './git.ts'

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
