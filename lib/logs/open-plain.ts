import { constants, type FileHandle, open } from 'node:fs/promises'

/** Opens a regular file for reading. Null for what is missing, a link, or no regular file. */
export async function openPlain(path: string): Promise<FileHandle | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if ((await file.stat()).isFile()) return file
    await file.close()
    return null
  } catch {
    return null
  }
}
