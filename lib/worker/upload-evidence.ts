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
import { parseJson } from '#lib/domain/text/index.ts'
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
/** Time for readers of the live log to close the file. */
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
 * Notes on the disk, before its row is stored, that a sealed episode's files have to be uploaded to the bucket; does
 * nothing where evidence stays on the disk. The next worker of this machine processes the note if this process is
 * killed.
 */
export function noteSealed(directory: string, envelope: string): void {
  if (configuredBucket() === null) return
  const parsed = noteSchema.safeParse(parseJson(envelope))
  if (!parsed.success) return // not an envelope: it is refused a moment later
  writeNote({ ...parsed.data, directory, uploadedAt: null })
}

/** Uploads the files of sealed episodes into the bucket until `signal`; logs and retries failures. */
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

/** Runs one round. Throws an AppError when the bucket cannot be reached or refuses; skips removed notes. */
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

/** Runs the next step of one episode: upload its files, or later remove their local copies. */
async function follow(store: S3Store, note: Pending, isHeld: ReturnType<typeof rememberHeld>) {
  const { uploadedAt, runId } = note
  if (uploadedAt === null) await upload(store, note)
  else if (Date.now() - Date.parse(uploadedAt) > LOCAL_MS && !(await isHeld(runId)))
    await release(store, note)
}

/** Counts episodes with files that are not in the bucket yet. */
export function countWaiting(): number {
  const isWaiting = (note: ReturnType<typeof readNote>) =>
    note !== null && note !== 'gone' && note.uploadedAt === null
  return names().map(readNote).filter(isWaiting).length
}

async function upload(store: S3Store, note: Pending): Promise<void> {
  try {
    for (const ref of refsOf(note)) await store.upload(ref)
  } catch (error) {
    // A retry does not help and would delay the next ones: a person has to look.
    if (error instanceof AppError && error.code === 'evidence-damaged')
      return setAside(`${note.episodeId}.json`, error.message)
    throw error
  }
  writeNote({ ...note, uploadedAt: new Date().toISOString() })
}

/**
 * Removes local copies of what retention might remove too; solutions and recordings stay, since runs are regraded and
 * replayed from them.
 */
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

/** Null = not a note; gone = another worker of this folder finished it after it was listed. */
function readNote(name: string): Pending | null | 'gone' {
  const text = unlessGone(() => readFileSync(join(folder(), name), 'utf8'))
  if (text === 'gone') return 'gone'
  return pendingSchema.safeParse(parseJson(text)).data ?? null
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

/** Lists notes by age, without drafts. */
function names(): string[] {
  if (!existsSync(folder())) return []
  const found = readdirSync(folder()).filter((name) => name.endsWith('.json'))
  const age = (name: string) =>
    statSync(join(folder(), name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return found.sort((a, b) => age(a) - age(b))
}

const folder = (): string => join(env().dataDir, 'evidence-uploads')
