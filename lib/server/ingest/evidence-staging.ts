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

/** The part of a commit's folder that is moved to its place when the database has said yes. */
const READY = 'ready'

/**
 * Arranges the evidence of some episodes inside a commit's folder: one folder each, named by episode and seal, so
 * that after a crash the database alone shows whether it belongs to something that was stored.
 * Returns the folders' final paths by episode.
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

/** A row must never be safer on the disk than the files it speaks of. */
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
 * Moves what a commit staged to its place, if the database keeps the episode under that very seal, and removes the rest
 * with the folder. Called by the commit itself, and again for the folder of one that did not live to do so; either may
 * be cut off and done again. Answers how many episodes' files were moved.
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

/** Where uploaded evidence is stored, relative to the data folder: separate from the runs of this server's runner. */
const RECEIVED = 'received'

/** An episode's folder, relative to the data folder, as its row keeps it. */
function receivedDirectory(runId: string, episodeId: string): string {
  return join(RECEIVED, runId, episodeId)
}

/** Where commits prepare their files: on the same file system as the place they go to. */
export function stagingRoot(): string {
  return join(env().dataDir, RECEIVED, '.staging')
}

const OLD_MS = 6 * 60 * 60_000

/** Folders that this process works in now. A number of a process alone may be used again after a restart. */
const held = processWide('held scratch', () => new Set<string>())

/** A folder of its own for one commit or preview, marked with who works in it; `release` lets go of the mark. */
export async function openScratch(): Promise<{ folder: string; release: () => void }> {
  const name = `${process.pid}-${randomBytes(8).toString('hex')}@${hostId()}`
  const folder = join(stagingRoot(), name)
  held.add(name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return { folder, release: () => held.delete(name) }
}

/** Gives a folder up, so that the next sweep of any process settles it: no process has the number 0. */
export async function leaveToSweep(folder: string): Promise<void> {
  const name = `0-${randomBytes(8).toString('hex')}`
  if (existsSync(folder)) await rename(folder, join(stagingRoot(), name))
}

/** Folders whose owner is gone. */
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

/** A process id may have been reused by now; no commit works that long. */
async function isOld(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > OLD_MS
}

const log = createLog('ingest')

/** Finishes commits that were interrupted: evidence of stored episodes is moved, everything else is removed. */
export async function sweepIngest(db: Db): Promise<void> {
  for (const folder of await listOrphanedScratch()) {
    const moved = await settleEvidence(db, folder)
    log.info('a commit that was cut off is tidied up', { episodesWithEvidence: moved })
  }
}
