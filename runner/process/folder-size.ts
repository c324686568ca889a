import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const INODE_BYTES = 4096

/**
 * Bytes on disk below a folder, links not followed. Stops counting once `limit` is passed, so that a hostile tree of
 * a million files costs no more than the answer "too much". Counts an inode's worth (4 KiB) for each entry.
 */
export async function folderSize(folder: string, limit: number): Promise<number> {
  let total = 0
  for (const waiting = [folder]; waiting.length > 0 && total <= limit; ) {
    const current = waiting.pop() as string
    const entries = await readdir(current, { withFileTypes: true }).catch(() => [])
    total += entries.length * INODE_BYTES
    for (const entry of entries) {
      if (entry.isDirectory()) waiting.push(join(current, entry.name))
      else if (total <= limit) total += await sizeOf(join(current, entry.name))
    }
  }
  return total
}

async function sizeOf(path: string): Promise<number> {
  try {
    const { blocks, size } = await lstat(path)
    // A sparse file claims a size it does not take.
    return Math.min(size, blocks * 512)
  } catch {
    return 0
  }
}
