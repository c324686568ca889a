import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Db } from '../db/db.ts'
import { listUnendedRuns } from '../db/pruned-store.ts'
import { evidenceFileSchema } from '../domain/record/index.ts'
import { isPrunable } from '../domain/runs/index.ts'
import { env } from '../env.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { rememberHeld } from '../server/care/held-runs.ts'
import { configuredBucket } from '../server/evidence/configured-store.ts'
import { evidenceRef } from '../server/evidence/evidence-store.ts'
import type { S3Store } from '../server/evidence/s3-store.ts'
import type { WorkerContext } from './worker-context.ts'

const LOOK_MS = 500
const RETRY_MS = 5000
/** A reader of the live log may still be in the file. */
const LOCAL_MS = 10 * 60_000
const log = createLog('evidence')

const noteSchema = z.object({
  episodeId: z.string().regex(/^ep_[0-9a-f]{32}$/),
  runId: z.string().regex(/^run_[0-9a-z]{8,40}$/),
  evidence: evidenceFileSchema.array(),
})
const pendingSchema = noteSchema.extend({
  directory: z.string(),
  /** Null = not in the bucket yet. */
  uploadedAt: z.iso.datetime().nullable(),
})
type Pending = z.infer<typeof pendingSchema>

/**
 * Notes on the disk, before its row is stored, that a sealed episode's files have to go to the bucket; nothing where
 * evidence stays on the disk. The note outlives this process, and is taken up by the next worker of this machine.
 */
export function noteSealed(directory: string, envelope: string): void {
  if (configuredBucket() === null) return
  const parsed = noteSchema.safeParse(parseQuietly(envelope))
  if (!parsed.success) return // no envelope: it is refused a moment later
  writeNote({ ...parsed.data, directory, uploadedAt: null })
}

/** Puts the files of sealed episodes into the bucket until `signal`; what cannot be reached now is tried again. */
export async function followSealed({
  db,
  signal,
}: Pick<WorkerContext, 'db' | 'signal'>): Promise<void> {
  while (!signal.aborted) {
    let wait = LOOK_MS
    try {
      await uploadSealed(db)
    } catch (error) {
      wait = RETRY_MS
      if (!(error instanceof AppError)) throw error
      log.warn('evidence waits on this machine', { waiting: names().length, why: error.message })
    }
    await pause(wait, undefined, { signal }).catch(() => {})
  }
}

/** One round. Throws an AppError where the bucket cannot be reached or is refused. */
export async function uploadSealed(db: Db): Promise<void> {
  const bucket = configuredBucket()
  const waiting = bucket ? names() : []
  if (!bucket || waiting.length === 0) return
  const isHeld = rememberHeld(await listUnendedRuns(db))
  for (const name of waiting) {
    const note = readNote(name)
    if (note === null) setAside(name, 'its note cannot be read')
    else if (note.uploadedAt === null) await upload(bucket.store, note)
    else if (Date.now() - Date.parse(note.uploadedAt) > LOCAL_MS && !(await isHeld(note.runId)))
      await release(bucket.store, note)
  }
}

/** How many episodes have files that are not in the bucket yet. */
export function countWaiting(): number {
  return names()
    .flatMap((name) => readNote(name) ?? [])
    .filter(({ uploadedAt }) => uploadedAt === null).length
}

async function upload(store: S3Store, note: Pending): Promise<void> {
  try {
    for (const ref of refsOf(note)) await store.upload(ref)
  } catch (error) {
    // Trying again changes nothing: a person has to look, and so the next ones are not held up.
    if (error instanceof AppError && error.code === 'evidence-damaged')
      return setAside(`${note.episodeId}.json`, error.message)
    throw error
  }
  writeNote({ ...note, uploadedAt: new Date().toISOString() })
}

/** Frees what retention might take too; solutions and recordings stay, since runs are regraded and replayed from them. */
async function release(store: S3Store, note: Pending): Promise<void> {
  const free = note.evidence.filter((file) => isPrunable(file) && file.role !== 'gateway-recording')
  for (const ref of refsOf({ ...note, evidence: free })) await store.dropLocal(ref)
  rmSync(join(folder(), `${note.episodeId}.json`), { force: true })
}

function refsOf({ directory, evidence }: Pick<Pending, 'directory' | 'evidence'>) {
  return evidence.flatMap((file) => evidenceRef(directory, file) ?? [])
}

function writeNote(note: Pending): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 })
  const file = join(folder(), `${note.episodeId}.json`)
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, JSON.stringify(note), { mode: 0o600, flush: true })
  renameSync(draft, file)
}

function readNote(name: string): Pending | null {
  return (
    pendingSchema.safeParse(parseQuietly(readFileSync(join(folder(), name), 'utf8'))).data ?? null
  )
}

function setAside(name: string, why: string): void {
  log.error('evidence was not uploaded', { name, why })
  renameSync(join(folder(), name), join(folder(), `${name}.refused`))
}

/** Notes in order of their age, without drafts. */
function names(): string[] {
  if (!existsSync(folder())) return []
  const found = readdirSync(folder()).filter((name) => name.endsWith('.json'))
  const age = (name: string) =>
    statSync(join(folder(), name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return found.sort((a, b) => age(a) - age(b))
}

function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const folder = (): string => join(env().dataDir, 'evidence-uploads')
