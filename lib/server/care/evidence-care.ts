import { countOf } from '#lib/domain/text/index.ts'
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
  type StoredObject,
} from '../evidence/evidence-store.ts'
import { fileJudge } from '../evidence/judge-file.ts'
import { changeLeftOut, readLeftOut } from '../evidence/left-out.ts'
import { findOwnFiles } from '../evidence/own-files.ts'

type EvidenceCheck = { whole: number; pruned: number; elsewhere: number; problems: Flaw[] }

/**
 * Compares every evidence file with the digest in its sealed envelope: intact, pruned and recorded, not in this data
 * folder, or a problem. Evidence that was left out of a restore and is complete now is expected from now on.
 */
export async function checkStoredEvidence(): Promise<EvidenceCheck> {
  const db = database()
  const judge = fileJudge(await listAllPruned(db))
  const check: EvidenceCheck = { whole: 0, pruned: 0, elsewhere: 0, problems: [] }
  const incomplete = new Set<string>()
  for await (const { place, directory, ref } of eachFile(db)) {
    const found = ref ? await judge(ref, directory) : 'missing'
    if (found === 'whole' || found === 'pruned') {
      check[found]++
      continue
    }
    incomplete.add(directory)
    if (found === 'elsewhere') check.elsewhere++
    else check.problems.push({ place, problem: EVIDENCE_FLAWS[found] })
  }
  expectAgain(incomplete)
  return check
}

/** `712 files verified, 0 pruned, 0 not in this data folder, 0 problems`. */
export function describeCheck({ whole, pruned, elsewhere, problems }: EvidenceCheck): string {
  const absent = `${pruned} pruned, ${elsewhere} not in this data folder`
  return `${countOf(whole, 'file')} verified, ${absent}, ${countOf(problems.length, 'problem')}`
}

function expectAgain(incomplete: ReadonlySet<string>): void {
  const listed = Object.entries(readLeftOut().evidence)
  const still = listed.filter(([directory]) => incomplete.has(directory))
  if (still.length < listed.length) changeLeftOut({ evidence: Object.fromEntries(still) })
}

/** Yields every received file that a sealed list names. */
export async function* eachFile(db: Db): AsyncGenerator<NamedFile> {
  for await (const page of pageEvidence(db)) {
    for (const { directory, evidence } of page) {
      for (const file of evidence) {
        const place = `${directory}/${file.path}`
        yield { place, directory, ref: evidenceRef(directory, file) }
      }
    }
  }
}

type NamedFile = { place: string; directory: string; ref: EvidenceRef | null }

/** Yields every file that should be in a store, so no pruned ones. */
async function* eachKept(db: Db): AsyncGenerator<{ directory: string; ref: EvidenceRef }> {
  const pruned = await listAllPruned(db)
  for await (const { place, directory, ref } of eachFile(db))
    if (ref && !pruned.has(place)) yield { directory, ref }
}

const DAY_MS = 86_400_000

type Sweep = { files: number; bytes: number; names: string[] }

/**
 * Removes files that no stored episode names and that are older than a day, so that uploads in progress are left alone.
 * References are read after the files are listed: files named meanwhile stay.
 */
export async function sweepEvidence(isDryRun: boolean, now = new Date()): Promise<Sweep> {
  const store = evidenceStore()
  const orphans = new Map<string, StoredObject>()
  for await (const object of store.list())
    if (now.getTime() - object.modifiedAt.getTime() > DAY_MS)
      orphans.set(object.digest ?? object.name, object)
  for await (const { ref } of eachKept(database())) {
    orphans.delete(ref.digest)
    orphans.delete(ref.place)
  }
  const found = [...orphans.values()]
  for (const object of isDryRun ? [] : found) await store.remove(object)
  const bytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return { files: found.length, bytes, names: found.map(({ name }) => name) }
}

type Move = {
  to: 'disk' | 's3'
  files: number
  bytes: number
  removed: number
  /** Number of files that are not in this data folder, and not expected there. */
  elsewhere: number
  problems: Flaw[]
}

/**
 * Copies every file to the other store and compares the copy with the sealed digest. Run again, it continues. With
 * `removes`, each original is removed once its copy is verified.
 */
export async function moveEvidence(to: 'disk' | 's3', removes: boolean): Promise<Move> {
  const { store } = needBucket()
  const move: Move = { to, files: 0, bytes: 0, removed: 0, elsewhere: 0, problems: [] }
  const isHere = findOwnFiles()
  for await (const { directory, ref } of eachKept(database())) {
    const found = to === 's3' ? await store.moveOut(ref) : await store.bringHome(ref)
    if (found === 'missing' && isHere && !isHere(directory)) {
      move.elsewhere++
      continue
    }
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
