import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from './make-folder.ts'

/**
 * Writes a file so that readers see the old one or the whole new one, also after a power cut: temporary file beside
 * it, fsync, rename, fsync of the folder. On failure (disk full) nothing is left and the error says which file.
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
  await withFile(dirname(path), 'r', (folder) => folder.sync()).catch(() => {}) // not every file system can
}

/** Removes what a writer that was killed left below a folder; nothing when the folder is not there. */
export async function removeUnfinished(folder: string): Promise<void> {
  const paths = await readdir(folder, { recursive: true }).catch(() => [])
  const unfinished = paths.filter((path) => /\.\d+\.tmp$/.test(path))
  await Promise.all(unfinished.map((path) => rm(join(folder, path), { force: true })))
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
