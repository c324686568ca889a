import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it. Node 20's own recursive mkdir never answers where a file system refuses a new
 * folder with ENOENT, as /proc does; here the second refusal is told.
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
