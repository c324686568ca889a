import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

export type WalkedEntry = { path: string; kind: 'file' | 'link' | 'other'; sizeBytes: number }

const SKIPPED = new Set(['node_modules', '.git'])

/** Files below a folder the subject had, links seen but not followed; stops at `most` entries and says so. */
export async function walkWorkspace(root: string, most = 5000): Promise<{ entries: WalkedEntry[]; truncated: boolean }> {
  const entries: WalkedEntry[] = []
  const waiting = ['']
  while (waiting.length > 0) {
    const below = waiting.pop() as string
    const folder = await opendir(join(root, below)).catch(() => null)
    if (!folder) continue
    for await (const entry of folder) {
      const path = below ? `${below}/${entry.name}` : entry.name
      if (entries.length >= most) return { entries, truncated: true }
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) waiting.push(path)
      } else entries.push({ path, kind: kindOf(entry), sizeBytes: await sizeOf(join(root, path)) })
    }
  }
  entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { entries, truncated: false }
}

function kindOf(entry: { isFile(): boolean; isSymbolicLink(): boolean }): WalkedEntry['kind'] {
  if (entry.isFile()) return 'file'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

async function sizeOf(path: string): Promise<number> {
  return lstat(path).then(({ size }) => size, () => 0)
}
