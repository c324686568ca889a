import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export type WalkedEntry = { path: string; kind: 'file' | 'link' | 'other' }

/** Folders that hold no work of a subject. */
export const SKIPPED = new Set(['node_modules', '.git'])

/** Files below a folder the subject had, links seen but not followed; stops at `most` entries and says so. */
export async function walkWorkspace(
  root: string,
  most = 5000,
): Promise<{ entries: WalkedEntry[]; truncated: boolean }> {
  const entries: WalkedEntry[] = []
  for (const waiting = ['']; waiting.length > 0; ) {
    const found = await listFolder(root, waiting.pop() as string)
    waiting.push(...found.folders)
    entries.push(...found.entries.slice(0, most - entries.length))
    if (entries.length >= most) return { entries, truncated: true }
  }
  entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { entries, truncated: false }
}

async function listFolder(root: string, below: string) {
  const listed = await readdir(join(root, below), { withFileTypes: true }).catch(() => [])
  const pathOf = (name: string) => (below ? `${below}/${name}` : name)
  const folders = listed.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
  const others = listed.filter((entry) => !entry.isDirectory())
  return {
    folders: folders.map(({ name }) => pathOf(name)),
    entries: others.map((entry) => ({ path: pathOf(entry.name), kind: kindOf(entry) })),
  }
}

function kindOf(entry: { isFile(): boolean; isSymbolicLink(): boolean }): WalkedEntry['kind'] {
  if (entry.isFile()) return 'file'
  return entry.isSymbolicLink() ? 'link' : 'other'
}
