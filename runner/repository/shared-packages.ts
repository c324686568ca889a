import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Mount } from '../sandbox/isolation/isolation.ts'
import type { Change } from './overlay.ts'
import type { PreparedBase } from './prepare-base.ts'
import type { VerifySettings } from './run-command.ts'
import type { TreeEntry } from './tree.ts'

/** Entries of a base that each run copies, and folders that all runs read in place. */
type SplitBase = { copied: readonly TreeEntry[]; shared: readonly string[] }

/** Folders of a repository into which a set-up installs packages. */
const INSTALLED = ['node_modules', '.venv']

/** A smaller package is copied faster than it is mounted. */
const MIN_FILES = 10
/** bwrap reads the list of all mounts again after each of them. */
const MAX_MOUNTS = 400

/**
 * Splits off the largest installed packages, which no change touches. The folder that contains them is copied, because
 * tools put their caches there.
 */
export function splitBase(
  entries: readonly TreeEntry[],
  changes: readonly Pick<Change, 'path'>[],
): SplitBase {
  const counts = new Map<string, number>()
  for (const { path } of entries) {
    const folder = packageOf(path)
    if (folder !== null) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  for (const { path } of changes) {
    counts.delete(packageOf(`${path}/`) ?? '')
    const replaced = [...counts.keys()].filter((folder) => folder.startsWith(`${path}/`))
    for (const folder of replaced) counts.delete(folder)
  }
  const large = [...counts].filter(([, count]) => count >= MIN_FILES)
  const shared = large
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_MOUNTS)
    .map(([folder]) => folder)
  const isShared = new Set(shared)
  return { copied: entries.filter(({ path }) => !isShared.has(packageOf(path) ?? '')), shared }
}

/** Returns the installed package that contains a path, a scope or pnpm's store being one; null = none, or a cache. */
function packageOf(path: string): string | null {
  const [root = '', name = '', below] = path.split('/')
  if (!INSTALLED.includes(root) || below === undefined) return null
  return name.startsWith('.') && name !== '.pnpm' ? null : `${root}/${name}`
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

/** Bases whose packages the user of any sandbox can read. */
const opened = new WeakSet<PreparedBase>()

/** Creates the places of shared packages in a workspace; returns the read-only mounts for them. */
export async function mountShared(
  shared: readonly string[],
  base: PreparedBase,
  { workspace, inside }: { workspace: string; inside: string },
): Promise<Mount[]> {
  if (shared.length > 0 && !opened.has(base)) {
    const packages = base.entries.flatMap(({ path }) => packageOf(path) ?? [])
    for (const path of new Set(packages)) await openFolder(join(base.folder, path))
    opened.add(base)
  }
  for (const path of shared) await mkdir(join(workspace, path), { recursive: true })
  return shared.map((path) => {
    return { host: join(base.folder, path), inside: posix.join(inside, path), writable: false }
  })
}

/** The folders were made with this runner's umask; the sandbox's user has to read them. Their parents stay closed. */
async function openFolder(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) await openFolder(join(folder, entry.name))
}
