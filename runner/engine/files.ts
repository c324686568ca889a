import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { runTool, TOOL_ENV } from '../sandbox/process/run-tool.ts'

/**
 * Writes a file so that readers see the old one or the complete new one, even after a power failure: temporary file
 * next to it, fsync, rename, fsync of the folder. On failure (disk full) nothing is left and the error names the file.
 */
export async function writeAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  await makeFolder(dirname(path))
  try {
    await withFile(temporary, 'w', async (file) => {
      await file.writeFile(content)
      await file.sync()
    })
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw new Error(`cannot write ${path}: ${(cause as Error).message}`, { cause })
  }
  await withFile(dirname(path), 'r', (folder) => folder.sync()).catch(() => {}) // not supported by every file system
}

/** Removes the temporary files of killed writers below a folder; does nothing if the folder is missing. */
export async function removeUnfinished(folder: string): Promise<void> {
  const paths = await readdir(folder, { recursive: true }).catch(() => [])
  const unfinished = paths.filter((path) => /\.\d+\.tmp$/.test(path))
  await Promise.all(unfinished.map((path) => rm(join(folder, path), { force: true })))
}

/** Age after which an unchanged entry is abandoned. */
export const ABANDONED_MS = 24 * 60 * 60_000

/**
 * Removes entries of `folder` whose names begin with `prefix` and that were not changed for a day: their process was
 * killed.
 */
export async function removeAbandoned(
  folder: string,
  beginnings: readonly string[],
): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => beginnings.some((begin) => one.startsWith(begin)))) {
    const path = join(folder, name)
    const changed = await stat(path).catch(() => null)
    if (changed && Date.now() - changed.mtimeMs > ABANDONED_MS) await removeTree(path)
  }
}

async function withFile(
  path: string,
  flags: string,
  use: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags)
  try {
    await use(file)
  } finally {
    await file.close()
  }
}

/**
 * Creates a folder and its parents. Node 20's own recursive mkdir never returns if a file system refuses a new folder
 * with ENOENT, as /proc does; here the second refusal is thrown.
 */
export async function makeFolder(path: string): Promise<void> {
  const refused = await tryMake(path)
  if (!refused) return
  if (refused.code !== 'ENOENT' || dirname(path) === path) throw refused
  await makeFolder(dirname(path))
  const again = await tryMake(path)
  if (again) throw again
}

async function tryMake(path: string): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path)
    return null
  } catch (error) {
    const isThere = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
    return isThere ? null : (error as NodeJS.ErrnoException)
  }
}

/** A subject may leave a million files. */
const MAX_REMOVING_MS = 10 * 60_000

/**
 * Removes a tree by the system's own tools, which take a fraction of node's time. A subject may leave folders without
 * permissions, or deeper than a path can name. The run's guard handles the rest; an episode is not void because of it.
 */
export async function removeTree(folder: string): Promise<void> {
  const path = resolve(folder)
  const options = { env: TOOL_ENV, timeoutMs: MAX_REMOVING_MS }
  const remove = () => runTool(['rm', '-rf', '--', path], options)
  if ((await remove()).code === 0) return
  await runTool(['chmod', '-R', 'u+rwX', '--', path], options)
  await remove()
}
