import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Db } from '../../../db/db.ts'
import { unpackEnvelope } from '../../../db/stored-episode.ts'
import { canonicalJson } from '../../../domain/digest/index.ts'
import {
  type Episode,
  expandPlan,
  isScored,
  type OutcomeStatus,
  parseEpisode,
  planSchema,
  slotKey,
} from '../../../domain/record/index.ts'

/** Result of comparing disk, journals and database at the end. */
export type StorageCheck = {
  slots: number
  scored: number
  attempts: number
  /** Interrupted attempts that are stored as excluded, with a reason. */
  voids: number
  lost: string[]
  duplicated: string[]
  other: string[]
}

/**
 * Checks that every planned slot is scored exactly once, and every started attempt is stored on disk and in the
 * database.
 */
export async function checkStored(db: Db, dataDir: string): Promise<StorageCheck> {
  const found: StorageCheck = {
    slots: 0,
    scored: 0,
    attempts: 0,
    voids: 0,
    lost: [],
    duplicated: [],
    other: [],
  }
  for (const { id, status, reason, runId, plan } of await db.job.findMany()) {
    if (status !== 'done') found.other.push(`${id} is ${status}: ${reason}`)
    if (runId === null || plan === null) found.lost.push(`${id} has no run`)
    else await checkSlots(db, runId, plan, found)
  }
  const stored = await db.episode.findMany()
  const rows = new Map(stored.map((row) => [attemptKey(row), unpackEnvelope(row.envelope)]))
  for (const runId of listRunFolderIds(dataDir)) {
    for (const begun of listBegun(dataDir, runId)) {
      const key = attemptKey(begun)
      checkAttempt(key, readEnvelope(dataDir, begun), rows.get(key) ?? null, found)
      rows.delete(key)
    }
  }
  for (const key of rows.keys()) found.lost.push(`${key} is in the database and was never begun`)
  return found
}

function checkAttempt(
  key: string,
  envelope: Episode | null,
  inDatabase: string | null,
  found: StorageCheck,
): void {
  found.attempts += 1
  if (envelope === null) {
    found.lost.push(`${key} was begun and has no envelope`)
    return
  }
  if (inDatabase === null) found.lost.push(`${key} is on disk and not in the database`)
  else if (inDatabase !== canonicalJson(envelope))
    found.duplicated.push(`${key} is stored with two contents`)
  if (envelope.outcome.status !== 'void') return
  found.voids += 1
  if (envelope.outcome.reason === '') found.other.push(`${key} is void without a reason`)
}

export async function checkSlots(
  db: Db,
  runId: string,
  plan: string,
  found: StorageCheck,
): Promise<void> {
  const rows = await db.episode.findMany({ where: { runId } })
  const scored = rows.filter(({ status }) => isScored(status as OutcomeStatus))
  for (const slot of expandPlan(planSchema.parse(JSON.parse(plan)))) {
    const count = scored.filter((row) => slotKey(row) === slotKey(slot)).length
    found.slots += 1
    found.scored += Math.min(1, count)
    if (count === 0) found.lost.push(`${runId} ${slotKey(slot)} is planned and not scored`)
    if (count > 1) found.duplicated.push(`${runId} ${slotKey(slot)} is scored ${count} times`)
  }
}

const startedSchema = z.object({
  event: z.literal('attempt-started'),
  taskId: z.string(),
  repetition: z.number(),
  attempt: z.number(),
})

/** A started attempt from a run's journal. */
type Attempt = { runId: string; taskId: string; repetition: number; attempt: number }

export function attemptKey({ runId, taskId, repetition, attempt }: Attempt): string {
  return `${runId}/${taskId}/r${repetition}-a${attempt}`
}

export function listRunFolderIds(dataDir: string): string[] {
  const folder = join(dataDir, 'runs')
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Reads the journal of a run; skips a truncated line, as the runner does. */
export function listBegun(dataDir: string, runId: string): Attempt[] {
  const file = join(dataDir, 'runs', runId, 'journal.ndjson')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line) => {
    try {
      const { event: _, ...begun } = startedSchema.parse(JSON.parse(line))
      return [{ runId, ...begun }]
    } catch {
      return []
    }
  })
}

/** Attempts in progress: started by a runner that has locked its folder, and not sealed. */
export function listOpen(dataDir: string): Attempt[] {
  const held = listRunFolderIds(dataDir).filter((runId) =>
    existsSync(join(dataDir, 'runs', runId, 'runner.pid')),
  )
  return held
    .flatMap((runId) => listBegun(dataDir, runId))
    .filter((attempt) => !existsSync(envelopePath(dataDir, attempt)))
}

/** Reads an attempt's envelope; null = there is none. Throws if it is not what was sealed. */
export function readEnvelope(dataDir: string, attempt: Attempt): Episode | null {
  const path = envelopePath(dataDir, attempt)
  if (!existsSync(path)) return null
  const parsed = parseEpisode(JSON.parse(readFileSync(path, 'utf8')))
  if (!parsed.ok) throw new Error(`${path} is not a sealed episode`)
  return parsed.value
}

function envelopePath(dataDir: string, { runId, taskId, repetition, attempt }: Attempt): string {
  const place = ['episodes', taskId, `r${repetition}-a${attempt}`, 'episode.json']
  return join(dataDir, 'runs', runId, ...place)
}
