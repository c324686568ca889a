import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Bytes on disk below a folder, links not followed. Stops counting once `limit` is passed, so that a hostile tree of
 * a million files costs no more than the answer "too much". Counts an inode's worth (4 KiB) for each entry.
 */
export async function folderSize(folder: string, limit: number): Promise<number> {
  let total = 0
  const waiting = [folder]
  while (waiting.length > 0 && total <= limit) {
    const current = waiting.pop() as string
    const entries = await readdir(current, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      total += 4096
      const path = join(current, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile()) total += await sizeOf(path)
      if (total > limit) break
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
