import { posix } from 'node:path'
import type { Digest, EvidenceFile } from '../../domain/record/index.ts'
import { type ByteReader, measureBytes } from './byte-reader.ts'

/** One file of an episode, as its row and its sealed list name it. */
export type EvidenceRef = {
  /** Its name in notes and messages: the directory of the episode's row and the sealed path. Only a disk store opens it. */
  place: string
  digest: Digest
  sizeBytes: number
}

/** Where the files of sealed episodes are kept. Live logs are no evidence yet: they stay in the folder of their run. */
export interface EvidenceStore {
  /** Null = it is not here. */
  open(ref: EvidenceRef): Promise<ByteReader | null>
  /** Bytes, without opening it; null = it is not here. */
  sizeOf(ref: EvidenceRef): Promise<number | null>
  /** Stores the bytes of one file. */
  put(ref: EvidenceRef, bytes: Uint8Array): Promise<void>
  /** Takes over all files below a folder of this machine as the evidence of an episode; what is stored already stays. */
  settle(folder: string, directory: string): Promise<void>
  delete(refs: readonly EvidenceRef[]): Promise<void>
  /** A folder of this machine with the files of an episode, for a program that reads folders. */
  checkOut(directory: string, files: readonly EvidenceFile[]): Promise<CheckedOut>
}

type CheckedOut = { folder: string; release: () => Promise<void> }

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

/** Reads a file whole and compares it with the digest that was sealed. */
export async function judgeEvidence(
  store: EvidenceStore,
  ref: EvidenceRef,
): Promise<'whole' | keyof typeof EVIDENCE_FLAWS> {
  const reader = await store.open(ref)
  if (!reader) return 'missing'
  return (await measureBytes(reader)).digest === ref.digest ? 'whole' : 'altered'
}
