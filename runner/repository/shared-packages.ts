import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Mount } from '../sandbox/isolation/isolation.ts'
import { takeBreaks } from '../take-breaks.ts'
import type { Change } from './overlay.ts'
import type { PreparedBase } from './prepare-base.ts'
import type { VerifySettings } from './run-command.ts'
import type { TreeEntry } from './tree.ts'

/** Entries of a base that each run copies, and folders that all runs read in place. */
type SplitBase = { copied: readonly TreeEntry[]; shared: readonly string[] }

/** Folders of a repository into which a set-up installs packages. */
const INSTALLED = ['node_modules', '.venv']

/** Folders among the packages that tools write to. */
const CACHES = ['.cache', '.vite', '.vite-temp', '.vitest', '.tmp']

/** Splits off the folders of installed packages that no change touches, without the caches in them. */
export function splitBase(
  entries: readonly TreeEntry[],
  changes: readonly Pick<Change, 'path'>[],
): SplitBase {
  const shared = INSTALLED.filter((root) => {
    const isTouched = changes.some(({ path }) => path === root || path.startsWith(`${root}/`))
    return entries.some(isBelow(root)) && !isTouched
  })
  const isCopied = ({ path }: TreeEntry) => {
    const [root = '', name = '', below] = path.split('/')
    return !shared.includes(root) || (CACHES.includes(name) && below !== undefined)
  }
  return { copied: entries.filter(isCopied), shared }
}

/**
 * Decides what a run copies. Attempts share nothing, so that none can leave a trace for another; runs of a proof may,
 * where the sandbox can mount folders.
 */
export function splitFor(
  { sharesPackages, isolation }: VerifySettings,
  base: PreparedBase,
  changes: readonly Change[],
): SplitBase {
  const isSharing = sharesPackages === true && isolation.level === 'bubblewrap'
  return isSharing ? splitBase(base.entries, changes) : { copied: base.entries, shared: [] }
}

/** The caches of bases whose packages the user of any sandbox can read. */
const opened = new WeakMap<PreparedBase, readonly string[]>()

/** Creates the places of shared packages in a workspace; returns their read-only mounts, and those of its own caches. */
export async function mountShared(
  shared: readonly string[],
  base: PreparedBase,
  { workspace, inside }: { workspace: string; inside: string },
): Promise<Mount[]> {
  const caches = shared.length > 0 ? (opened.get(base) ?? (await openPackages(base))) : []
  const own = caches.filter((path) => shared.some((root) => path.startsWith(`${root}/`)))
  for (const path of [...shared, ...own]) await mkdir(join(workspace, path), { recursive: true })
  const mount = (from: string, path: string, writable: boolean) => {
    return { host: join(from, path), inside: posix.join(inside, path), writable }
  }
  return [
    ...shared.map((path) => mount(base.folder, path, false)),
    ...own.map((path) => mount(workspace, path, true)),
  ]
}

/**
 * The folders were made with this runner's umask; the sandbox's user has to read them. Their parents stay closed. Empty
 * folders are the places of caches, and no part of a tree.
 */
async function openPackages(base: PreparedBase): Promise<readonly string[]> {
  const taken = new Set(base.entries.map(({ path }) => path))
  const pause = takeBreaks()
  const caches: string[] = []
  for (const root of INSTALLED.filter((name) => base.entries.some(isBelow(name)))) {
    const own = CACHES.map((name) => `${root}/${name}`).filter((path) => !taken.has(path))
    for (const path of own) mkdirSync(join(base.folder, path), { recursive: true })
    caches.push(...own)
    for (const waiting = [join(base.folder, root)]; waiting.length > 0; ) {
      const folder = waiting.pop() as string
      chmodSync(folder, 0o755)
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) waiting.push(join(folder, entry.name))
      await pause()
    }
  }
  opened.set(base, caches)
  return caches
}

const isBelow = (root: string) => {
  return ({ path }: TreeEntry) => path.startsWith(`${root}/`)
}
