import { posix } from 'node:path'
import type { Digest, EvidenceFile } from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'
import type { ByteReader, MeasuredFile } from './byte-reader.ts'

/** One file of an episode, as its row and its sealed list name it. */
export type EvidenceRef = {
  /** Its name in notes and messages: the directory of the episode's row and the sealed path. Only a disk store opens it. */
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
 * Where the files of sealed episodes are stored. Live logs are no evidence yet: they stay in the folder of their run. All
 * methods throw an AppError evidence-unavailable where the store cannot be reached.
 */
export interface EvidenceStore {
  readonly kind: 'disk' | 's3'
  /** As people write it. */
  readonly name: string
  /** Null = it is not here. Throws evidence-damaged where the bytes are not those that were sealed. */
  open(ref: EvidenceRef): Promise<ByteReader | null>
  /** Whether it is here; for a file that was read already this costs nothing. */
  has(ref: EvidenceRef): Promise<boolean>
  /** Reads a file whole where it is stored; null = it is not here. */
  measure(ref: EvidenceRef): Promise<MeasuredFile | null>
  /** The same into a new file, for its owner alone unless it is to be published. */
  copy(ref: EvidenceRef, to: string, options?: { isPublic?: boolean }): Promise<MeasuredFile | null>
  /** Looks sizes up without opening anything; null = it is not here. Good for one look through all evidence. */
  sizes(): Promise<(ref: EvidenceRef) => Promise<number | null>>
  /** Stores one file: its bytes, or a file of this machine. Throws evidence-damaged for other bytes than sealed. */
  put(ref: EvidenceRef, source: Uint8Array | string): Promise<void>
  /** Takes over all files below a folder of this machine as the evidence of an episode; what is stored already stays. */
  settle(folder: string, directory: string): Promise<void>
  /**
   * Removes files; `shared` are the digests that other evidence names too, whose bytes have to stay. So does what is in a
   * bucket for less than a day, until it is removed again.
   */
  delete(refs: readonly EvidenceRef[], shared: ReadonlySet<Digest>): Promise<void>
  /** A folder of this machine with the files of an episode, for a program that reads folders. */
  checkOut(directory: string, files: readonly EvidenceFile[]): Promise<CheckedOut>
  /** All that is stored, and may be removed if nothing names it. */
  list(): AsyncIterable<StoredObject>
  remove(object: StoredObject): Promise<void>
  /** Writes, reads and removes something small. Throws in one sentence where that does not work. */
  probe(): Promise<void>
}

export type CheckedOut = { folder: string; release: () => Promise<void> }

/** A file of an episode; null = its files were never received, or its name leads out of its directory. */
export function evidenceRef(
  directory: string | null,
  { path, digest, sizeBytes }: Pick<EvidenceFile, 'path' | 'digest' | 'sizeBytes'>,
): EvidenceRef | null {
  if (directory === null) return null
  const place = `${directory}/${path}`
  const isInside = posix.normalize(place) === place && !/^(\.\.(\/|$)|\/)/.test(place)
  return isInside ? { place, digest, sizeBytes } : null
}

/** What is wrong with a file that is not whole. */
export const EVIDENCE_FLAWS = {
  altered: 'is not what was sealed',
  missing: 'is missing, and retention did not take it',
} as const
export type EvidenceFlaw = keyof typeof EVIDENCE_FLAWS

/** Reads a file whole and compares it with the digest that was sealed. */
export async function judgeEvidence(
  store: EvidenceStore,
  ref: EvidenceRef,
): Promise<'whole' | EvidenceFlaw> {
  const found = await store.measure(ref)
  if (!found) return 'missing'
  return found.digest === ref.digest ? 'whole' : 'altered'
}

/** What is answered where bytes are not those that were sealed. */
export function damaged(place: string): AppError {
  return new AppError(
    'evidence-damaged',
    `${place} in the evidence store is not the file that was sealed; proofboard server evidence check lists all such files`,
  )
}
