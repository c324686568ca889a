import { lstat, rename } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { digestJson } from '#lib/domain/digest/index.ts'
import { removeTree } from '../engine/files.ts'
import { measureFolder } from '../sandbox/process/run-process.ts'

/** Folders in which package managers keep what they downloaded, by the variable that names each. */
const CACHES: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: 'cache',
  npm_config_cache: 'npm',
  YARN_GLOBAL_FOLDER: 'yarn',
  BUN_INSTALL_CACHE_DIR: 'bun',
  GOMODCACHE: 'go',
}

/** npm reuses what it knows of a package for the whole run, and retries a reset connection soon. */
const NPM = {
  npm_config_prefer_offline: 'true',
  npm_config_fetch_retries: '5',
  npm_config_fetch_retry_mintimeout: '500',
  npm_config_fetch_retry_factor: '3',
}

const FOLDER = '.downloads'
/** Larger downloads are removed before the next set-up. */
const MAX_BYTES = 4 * 2 ** 30

type DownloadPlace = {
  /** Folder of the suite. */
  suite: string
  /** Folder of the run. */
  temporary: string
  home: string
  /** Path of HOME in the sandbox. */
  inside: string
  /** The commands of the set-up. */
  commands: readonly string[]
}

/** The set-up that uses the downloads of a suite: one at a time, because the folder belongs to its user. */
const running = new Map<string, Promise<unknown>>()

/**
 * Runs a set-up with the downloads of those before it, of tasks of the same suite in the same run. They are in its HOME,
 * where its own would be; `bytes` = their size. Tasks of other suites get none: what a set-up leaves there is only as
 * trusted as itself.
 */
export function withDownloads<T>(
  { suite, temporary, home, inside, commands }: DownloadPlace,
  use: (env: Record<string, string>, bytes: number) => Promise<T>,
): Promise<T> {
  const name = digestJson(suite).slice('sha256:'.length, 'sha256:'.length + 16)
  const store = join(temporary, `downloads-${name}`)
  const folder = join(home, FOLDER)
  // npm warns of settings that only pnpm knows.
  const isPnpm = commands.some((command) => /\bpnpm\b/.test(command))
  const caches = { ...CACHES, ...(isPnpm && { npm_config_store_dir: 'pnpm' }) }
  const paths = Object.entries(caches).map(([key, below]) => [
    key,
    posix.join(inside, FOLDER, below),
  ])
  const env = { ...NPM, ...Object.fromEntries(paths) }
  const work = async () => {
    const bytes = await measureFolder(store)
    if (bytes > MAX_BYTES) await removeTree(store)
    else await rename(store, folder).catch(() => {}) // There is none before the first.
    try {
      return await use(env, bytes)
    } finally {
      const found = await lstat(folder).catch(() => null)
      if (found?.isDirectory()) await rename(folder, store).catch(() => {})
    }
  }
  const ended = (running.get(store) ?? Promise.resolve()).then(work, work)
  running.set(store, ended)
  return ended
}
