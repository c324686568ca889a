import { database } from '../../db/database.ts'
import type { Db } from '../../db/db.ts'
import { listAllPruned, pageEvidence } from '../../db/pruned-store.ts'
import type { Flaw } from '../../domain/archive/index.ts'
import { AppError } from '../../errors.ts'
import { readOwner, writeOwner } from '../evidence/bucket-owner.ts'
import { type Bucket, configuredBucket, evidenceStore } from '../evidence/configured-store.ts'
import {
  EVIDENCE_FLAWS,
  type EvidenceRef,
  evidenceRef,
  judgeEvidence,
  type StoredObject,
} from '../evidence/evidence-store.ts'

type EvidenceCheck = { whole: number; pruned: number; problems: Flaw[] }

/** Compares every evidence file with the digest that its envelope sealed: intact, pruned and recorded, or a problem. */
export async function checkStoredEvidence(): Promise<EvidenceCheck> {
  const db = database()
  const pruned = await listAllPruned(db)
  const check: EvidenceCheck = { whole: 0, pruned: 0, problems: [] }
  for await (const { place, ref } of eachFile(db)) {
    const found = ref ? await judgeEvidence(evidenceStore(), ref) : 'missing'
    if (found === 'whole') check.whole++
    else if (found === 'missing' && pruned.has(place)) check.pruned++
    else check.problems.push({ place, problem: EVIDENCE_FLAWS[found] })
  }
  return check
}

/** Every file that a sealed list names and that was received. */
export async function* eachFile(
  db: Db,
): AsyncGenerator<{ place: string; ref: EvidenceRef | null }> {
  for await (const page of pageEvidence(db)) {
    for (const { directory, evidence } of page) {
      for (const file of evidence)
        yield { place: `${directory}/${file.path}`, ref: evidenceRef(directory, file) }
    }
  }
}

/** Every file that should be in the store: pruned ones are not. */
async function* eachKept(db: Db): AsyncGenerator<EvidenceRef> {
  const pruned = await listAllPruned(db)
  for await (const { place, ref } of eachFile(db)) if (ref && !pruned.has(place)) yield ref
}

const DAY_MS = 86_400_000

type Sweep = { files: number; bytes: number; names: string[] }

/**
 * Removes what no stored episode names and what is older than a day, so that uploads under way are left alone. References
 * are read after the list: what is named meanwhile stays.
 */
export async function sweepEvidence(isDryRun: boolean, now = new Date()): Promise<Sweep> {
  const store = evidenceStore()
  const orphans = new Map<string, StoredObject>()
  for await (const object of store.list())
    if (now.getTime() - object.modifiedAt.getTime() > DAY_MS)
      orphans.set(object.digest ?? object.name, object)
  for await (const { digest, place } of eachKept(database())) {
    orphans.delete(digest)
    orphans.delete(place)
  }
  const found = [...orphans.values()]
  for (const object of isDryRun ? [] : found) await store.remove(object)
  const bytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return { files: found.length, bytes, names: found.map(({ name }) => name) }
}

type Move = { to: 'disk' | 's3'; files: number; bytes: number; removed: number; problems: Flaw[] }

/**
 * Copies every file to the other store and reads it back there: moved is what has the digest that was sealed. Run again, it
 * goes on. With `removes` the copy that was left goes, file by file, once its twin is proven.
 */
export async function moveEvidence(to: 'disk' | 's3', removes: boolean): Promise<Move> {
  const { store } = needBucket()
  const move: Move = { to, files: 0, bytes: 0, removed: 0, problems: [] }
  for await (const ref of eachKept(database())) {
    const found = to === 's3' ? await store.moveOut(ref) : await store.bringHome(ref)
    if (found !== 'whole') {
      move.problems.push({ place: ref.place, problem: EVIDENCE_FLAWS[found] })
      continue
    }
    move.files++
    move.bytes += ref.sizeBytes
    if (removes && to === 's3' && (await store.dropLocal(ref))) move.removed++
  }
  return move
}

type Adoption = { name: string; board: string; before: string | null }

/** Assigns the bucket to this board, even if it belonged to another. */
export async function adoptBucket(): Promise<Adoption> {
  const { client, board } = needBucket()
  const before = (await readOwner(client))?.board ?? null
  if (before !== board) await writeOwner(client, board, { isNew: false })
  return { name: client.name, board, before }
}

function needBucket(): Bucket {
  const bucket = configuredBucket()
  if (bucket) return bucket
  throw new AppError(
    'invalid-request',
    'evidence is in the data folder and no bucket is set: set PROOFBOARD_EVIDENCE_URL first',
  )
}
