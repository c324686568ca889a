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
import { evidenceFileSchema, runIdSchema } from '../domain/record/index.ts'
import { isPrunable } from '../domain/runs/index.ts'
import { env } from '../env.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { rememberHeld } from '../server/care/held-runs.ts'
import { configuredBucket } from '../server/evidence/configured-store.ts'
import { evidenceRef } from '../server/evidence/evidence-store.ts'
import type { S3Store } from '../server/evidence/s3-store.ts'
import { logFailure } from './log-failure.ts'
import type { WorkerContext } from './worker-context.ts'

const LOOK_MS = 500
const RETRY_MS = 5000
/** A reader of the live log may still be in the file. */
const LOCAL_MS = 10 * 60_000
const log = createLog('evidence')

const noteSchema = z.object({
  episodeId: z.string().regex(/^ep_[0-9a-f]{32}$/),
  runId: runIdSchema,
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

/** Puts the files of sealed episodes into the bucket until `signal`; whatever fails is logged and tried again. */
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
      logFailure(log, 'evidence waits on this machine', error)
    }
    await pause(wait, undefined, { signal }).catch(() => {})
  }
}

/** One round. Throws an AppError where the bucket cannot be reached or is refused; a note that is gone is skipped. */
export async function uploadSealed(db: Db): Promise<void> {
  const bucket = configuredBucket()
  const waiting = bucket ? names() : []
  if (!bucket || waiting.length === 0) return
  const isHeld = rememberHeld(await listUnendedRuns(db))
  for (const name of waiting) {
    const note = readNote(name)
    if (note === null) setAside(name, 'its note cannot be read')
    else if (note !== 'gone') await follow(bucket.store, note, isHeld)
  }
}

/** The next step of one episode: its files into the bucket, or later their copies off this disk. */
async function follow(store: S3Store, note: Pending, isHeld: ReturnType<typeof rememberHeld>) {
  const { uploadedAt, runId } = note
  if (uploadedAt === null) await upload(store, note)
  else if (Date.now() - Date.parse(uploadedAt) > LOCAL_MS && !(await isHeld(runId)))
    await release(store, note)
}

/** How many episodes have files that are not in the bucket yet. */
export function countWaiting(): number {
  const isWaiting = (note: ReturnType<typeof readNote>) =>
    note !== null && note !== 'gone' && note.uploadedAt === null
  return names().map(readNote).filter(isWaiting).length
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

/** Null = it is no note; gone = another worker of this folder was done with it after it was listed. */
function readNote(name: string): Pending | null | 'gone' {
  const text = unlessGone(() => readFileSync(join(folder(), name), 'utf8'))
  if (text === 'gone') return 'gone'
  return pendingSchema.safeParse(parseQuietly(text)).data ?? null
}

function setAside(name: string, why: string): void {
  const file = join(folder(), name)
  if (unlessGone(() => renameSync(file, `${file}.refused`)) === 'gone') return
  log.error('evidence was not uploaded', { name, why })
}

function unlessGone<T>(work: () => T): T | 'gone' {
  try {
    return work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone'
    throw error
  }
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
