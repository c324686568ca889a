import { env } from '../../env.ts'
import { DiskStore } from './disk-store.ts'
import type { EvidenceStore } from './evidence-store.ts'

/** The store of this server, or of another data folder. */
export function evidenceStore(dataDir = env().dataDir): EvidenceStore {
  return new DiskStore(dataDir)
}
