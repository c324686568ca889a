import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
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
