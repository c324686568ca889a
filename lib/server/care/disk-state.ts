import { lstat, opendir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type DataSizes, type DiskState, judgeDisk } from '../../domain/reports/index.ts'
import { env } from '../../env.ts'

/** Scanning a large data folder takes seconds, so a measurement is reused for this long. */
const FRESH_MS = 60_000

let measured: { at: number; dataDir: string; data: DataSizes } | undefined
let measuring: Promise<void> | undefined

/** Returns the space on the data folder's disk. Sizes are those of the last scan; a due scan runs in the background. */
export async function diskState(now: Date): Promise<DiskState> {
  const { dataDir, minFreeBytes, logQuotaBytes: quotaBytes } = env()
  const known = measured?.dataDir === dataDir ? measured : undefined
  // Absolute difference, because the clock may have been set back since.
  if (!known || Math.abs(now.getTime() - known.at) > FRESH_MS) void measureAnew(dataDir, now)
  const freeBytes = await readFreeBytes(dataDir)
  const state = { freeBytes, minFreeBytes, quotaBytes, data: known?.data ?? null }
  return { ...state, level: judgeDisk(state) }
}

/** Measures the disk now, for callers that decide by it. */
export async function measuredDiskState(now: Date): Promise<DiskState> {
  await measureAnew(env().dataDir, now)
  return diskState(now)
}

function measureAnew(dataDir: string, now: Date): Promise<void> {
  measuring ??= measureData(dataDir)
    .then((data) => {
      measured = { at: now.getTime(), dataDir, data }
    })
    .finally(() => {
      measuring = undefined
    })
  return measuring
}

async function readFreeBytes(dataDir: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize
  } catch {
    return null
  }
}

const FOLDERS = ['runs', 'suites', 'uploads', 'backups'] as const

/** Measures the bytes of a data folder by kind, skipping files that are removed meanwhile. */
async function measureData(dataDir: string): Promise<DataSizes> {
  const sizes: DataSizes = { database: 0, runs: 0, suites: 0, uploads: 0, backups: 0, other: 0 }
  for await (const entry of entriesOf(dataDir)) {
    const path = join(dataDir, entry.name)
    const folder = FOLDERS.find((name) => name === entry.name)
    if (entry.name.startsWith('proofboard.db')) sizes.database += await sizeOf(path)
    else sizes[folder ?? 'other'] += await measureTree(path)
  }
  return sizes
}

/** Measures the bytes of everything below a path; links count as themselves. */
async function measureTree(path: string): Promise<number> {
  const open = [path]
  let bytes = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = await lstat(next).catch(() => null)
    if (!found?.isDirectory()) {
      bytes += found?.size ?? 0
      continue
    }
    for await (const entry of entriesOf(next)) open.push(join(next, entry.name))
  }
  return bytes
}

async function sizeOf(path: string): Promise<number> {
  return (await lstat(path).catch(() => null))?.size ?? 0
}

async function* entriesOf(folder: string) {
  try {
    yield* await opendir(folder)
  } catch {
    // Removed, or not readable: it counts as nothing.
  }
}
