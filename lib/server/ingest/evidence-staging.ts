import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { processWide } from '#lib/process-wide.ts'
import { hostId } from '#lib/setup/host.mjs'
import type { Db, DbOrTx } from '../../db/db.ts'
import { findDirectory } from '../../db/results-store.ts'
import type { IncomingEpisode } from '../../domain/formats/index.ts'
import { env } from '../../env.ts'
import { createLog } from '../../log.ts'
import { locateProcess } from '../../processes/is-process-alive.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import type { MatchedFile } from './format.ts'
import { sealName } from './open-run.ts'

/** Part of a commit's folder that is moved to its place after the transaction. */
const READY = 'ready'

/**
 * Arranges the evidence of some episodes inside a commit's folder: one folder each, named by episode and seal, so that
 * after a crash the database alone shows whether it was stored. Returns the folders' final paths by episode.
 */
export async function stageEvidence(
  folder: string,
  episodes: readonly IncomingEpisode[],
  files: ReadonlyMap<string, readonly MatchedFile[]>,
): Promise<Map<string, string>> {
  const directories = new Map<string, string>()
  for (const { episodeId, seal, runId } of episodes) {
    const matched = files.get(episodeId)
    if (!matched) continue
    const target = join(folder, READY, sealName(episodeId, seal))
    for (const { path, stored } of matched) {
      const place = join(target, path)
      await mkdir(dirname(place), { recursive: true })
      await sync(stored.file)
      await rename(stored.file, place)
    }
    directories.set(episodeId, receivedDirectory(runId, episodeId))
  }
  return directories
}

/** Syncs a file, so that it is on the disk before its row. */
async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const STAGED = /^(ep_[0-9a-f]{32})\.([0-9a-f]{64})$/

/**
 * Moves a commit's staged evidence to its place if the database has the episode under that seal, and removes the rest
 * with the folder. Called by the commit itself, and again after a crash; can be interrupted and repeated. Returns the
 * number of episodes whose files were moved.
 */
export async function settleEvidence(db: DbOrTx, folder: string): Promise<number> {
  const ready = join(folder, READY)
  let moved = 0
  for (const name of existsSync(ready) ? await readdir(ready) : []) {
    const [, episodeId, hex] = STAGED.exec(name) ?? []
    if (!episodeId) continue
    const directory = await findDirectory(db, episodeId, `sha256:${hex}`)
    if (directory === null) continue
    await evidenceStore().settle(join(ready, name), directory)
    moved++
  }
  await rm(folder, { recursive: true, force: true })
  return moved
}

/** Folder of uploaded evidence, relative to the data folder: separate from the runs of this server's runner. */
const RECEIVED = 'received'

/** Returns an episode's folder, relative to the data folder, as stored in its row. */
function receivedDirectory(runId: string, episodeId: string): string {
  return join(RECEIVED, runId, episodeId)
}

/** Returns the folder in which commits prepare their files: on the same file system as their destination. */
export function stagingRoot(): string {
  return join(env().dataDir, RECEIVED, '.staging')
}

const OLD_MS = 6 * 60 * 60_000

/** Folders in use by this process. A process id alone may be reused after a restart. */
const held = processWide('held scratch', () => new Set<string>())

/** Creates a folder for one commit or preview, marked with its process; `release` removes the mark. */
export async function openScratch(): Promise<{ folder: string; release: () => void }> {
  const name = `${process.pid}-${randomBytes(8).toString('hex')}@${hostId()}`
  const folder = join(stagingRoot(), name)
  held.add(name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return { folder, release: () => held.delete(name) }
}

/** Abandons a folder, so that the next sweep of any process settles it: no process has the id 0. */
export async function leaveToSweep(folder: string): Promise<void> {
  const name = `0-${randomBytes(8).toString('hex')}`
  if (existsSync(folder)) await rename(folder, join(stagingRoot(), name))
}

/** Lists folders whose process is gone. */
async function listOrphanedScratch(): Promise<string[]> {
  const root = stagingRoot()
  if (!existsSync(root)) return []
  const names = await readdir(root)
  const orphaned: string[] = []
  for (const name of names) {
    const folder = join(root, name)
    if (!isHeld(name) || (await isOld(folder))) orphaned.push(folder)
  }
  return orphaned
}

function isHeld(name: string): boolean {
  const found = locateProcess(Number.parseInt(name, 10), name.split('@')[1])
  return held.has(name) || (found !== 'gone' && !isOwn(name))
}

function isOwn(name: string): boolean {
  return name.startsWith(`${process.pid}-`) && name.endsWith(`@${hostId()}`)
}

/** Returns whether a folder is too old for any commit, because its process id may have been reused. */
async function isOld(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > OLD_MS
}

const log = createLog('ingest')

/** Finishes interrupted commits: moves evidence of stored episodes, and removes everything else. */
export async function sweepIngest(db: Db): Promise<void> {
  for (const folder of await listOrphanedScratch()) {
    const moved = await settleEvidence(db, folder)
    log.info('a commit that was cut off is tidied up', { episodesWithEvidence: moved })
  }
}
