import { posix } from 'node:path'
import type { Digest } from '../../domain/digest/index.ts'
import type { EvidenceFile } from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'
import type { ByteReader, MeasuredFile } from './byte-reader.ts'

/** One file of an episode, as named by its row and its sealed list. */
export type EvidenceRef = {
  /** Name in notes and messages: the directory of the episode's row and the sealed path. Only a disk store opens it. */
  place: string
  digest: Digest
  sizeBytes: number
}

/** An object of a store. `digest` null = its name does not contain one. */
export type StoredObject = {
  name: string
  digest: Digest | null
  sizeBytes: number
  modifiedAt: Date
}

/**
 * Storage for the files of sealed episodes. Live logs are not evidence yet: they stay in the folder of their run. All
 * methods throw an AppError evidence-unavailable when the store cannot be reached.
 */
export interface EvidenceStore {
  readonly kind: 'disk' | 's3'
  /** Display name. */
  readonly name: string
  /** Opens a file; null = it is not stored. Throws evidence-damaged when the bytes differ from the sealed ones. */
  open(ref: EvidenceRef): Promise<ByteReader | null>
  /** Returns whether a file is stored; free for a file that was read already. */
  has(ref: EvidenceRef): Promise<boolean>
  /** Measures a whole file in the store; null = it is not stored. */
  measure(ref: EvidenceRef): Promise<MeasuredFile | null>
  /** Copies a file into a new one, readable only by its owner unless it is to be published; null = it is not stored. */
  copy(ref: EvidenceRef, to: string, options?: { isPublic?: boolean }): Promise<MeasuredFile | null>
  /** Returns a lookup of sizes that opens nothing; null = not stored. Valid for one pass over all evidence. */
  sizes(): Promise<(ref: EvidenceRef) => Promise<number | null>>
  /**
   * Stores one file from its bytes or a local file. Throws evidence-damaged for bytes that differ from the sealed ones.
   */
  put(ref: EvidenceRef, source: Uint8Array | string): Promise<void>
  /** Moves all files below a local folder into the evidence of an episode; files that are stored already stay. */
  settle(folder: string, directory: string): Promise<void>
  /**
   * Removes files. Keeps bytes in `shared`, which other evidence names too, and objects in a bucket that are less than
   * a day old, until they are removed again.
   */
  delete(refs: readonly EvidenceRef[], shared: ReadonlySet<Digest>): Promise<void>
  /** Provides a local folder with the files of an episode, for programs that read folders. */
  checkOut(directory: string, files: readonly EvidenceFile[]): Promise<CheckedOut>
  /** Yields everything stored that may be removed if nothing references it. */
  list(): AsyncIterable<StoredObject>
  remove(object: StoredObject): Promise<void>
  /** Writes, reads and removes a small object. Throws with one sentence when that fails. */
  probe(): Promise<void>
}

export type CheckedOut = { folder: string; release: () => Promise<void> }

/**
 * Builds the reference of an episode's file; null = its files were never received, or its name leads out of its
 * directory.
 */
export function evidenceRef(
  directory: string | null,
  { path, digest, sizeBytes }: Pick<EvidenceFile, 'path' | 'digest' | 'sizeBytes'>,
): EvidenceRef | null {
  if (directory === null) return null
  const place = `${directory}/${path}`
  const isInside = posix.normalize(place) === place && !/^(\.\.(\/|$)|\/)/.test(place)
  return isInside ? { place, digest, sizeBytes } : null
}

/** Messages for files that are missing or damaged. */
export const EVIDENCE_FLAWS = {
  altered: 'is not what was sealed',
  missing: 'is missing, and retention did not take it',
} as const
export type EvidenceFlaw = keyof typeof EVIDENCE_FLAWS

/** Reads a whole file and compares it with the sealed digest. */
export async function judgeEvidence(
  store: EvidenceStore,
  ref: EvidenceRef,
): Promise<'whole' | EvidenceFlaw> {
  const found = await store.measure(ref)
  if (!found) return 'missing'
  return found.digest === ref.digest ? 'whole' : 'altered'
}

/** Returns the error for bytes that differ from the sealed ones. */
export function damaged(place: string): AppError {
  return new AppError(
    'evidence-damaged',
    `${place} in the evidence store is not the file that was sealed; proofboard server evidence check lists all such files`,
  )
}
