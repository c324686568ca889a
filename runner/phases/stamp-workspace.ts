import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { SKIPPED } from './walk-workspace.ts'

const MOST_ENTRIES = 5000

type Found = { path: string; isFolder: boolean }

/**
 * A digest of the paths, sizes and times of all that lies below a folder which a subject is changing meanwhile; no file
 * is opened and no link followed. Null = not known: more than `most` entries, or a part that may not be looked at.
 */
export async function stampWorkspace(
  root: string,
  isIgnored: (path: string) => boolean,
  most = MOST_ENTRIES,
): Promise<string | null> {
  const lines: string[] = []
  for (const waiting = ['']; waiting.length > 0; ) {
    const below = waiting.pop() as string
    const entries = await readFolder(join(root, below), most - lines.length)
    const found = entries?.map((entry) => ({
      path: below ? `${below}/${entry.name}` : entry.name,
      isFolder: entry.isDirectory(),
    }))
    const kept = found?.filter((one) => !isPassedOver(one, isIgnored))
    const told = kept && (await describeAll(root, kept))
    if (!kept || !told) return null
    lines.push(...told)
    waiting.push(...kept.filter(({ isFolder }) => isFolder).map(({ path }) => path))
  }
  return createHash('sha256').update(lines.sort().join('\n')).digest('base64url')
}

function isPassedOver({ path, isFolder }: Found, isIgnored: (path: string) => boolean): boolean {
  if (!isFolder) return isIgnored(path)
  return SKIPPED.has(basename(path)) || isIgnored(`${path}/`)
}

/**
 * The entries of a folder, read name by name, so that one of a million files costs no more than the limit; none when it
 * is gone, or a link by now. Null = too many, or nobody may look.
 */
async function readFolder(path: string, most: number): Promise<Dirent[] | null> {
  const entries: Dirent[] = []
  try {
    if (!(await lstat(path)).isDirectory()) return []
    for await (const entry of await opendir(path)) {
      if (entries.push(entry) > most) return null
    }
    return entries
  } catch (error) {
    return isGone(error) ? [] : null
  }
}

/** One after the other, so that whatever else this process does comes in between. Null = nobody may look at one. */
async function describeAll(root: string, found: readonly Found[]): Promise<string[] | null> {
  const lines: string[] = []
  for (const one of found) {
    const line = await describe(root, one)
    if (line === null) return null
    lines.push(line)
  }
  return lines
}

/** Of a folder only that it is there: its time changes with what is ignored in it. Null = nobody may look. */
async function describe(root: string, { path, isFolder }: Found): Promise<string | null> {
  if (isFolder) return JSON.stringify([path])
  try {
    const { mode, size, mtimeNs } = await lstat(join(root, path), { bigint: true })
    return JSON.stringify([path, ...[mode, size, mtimeNs].map(String)])
  } catch (error) {
    return isGone(error) ? JSON.stringify([path, 'gone']) : null
  }
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
