import { env } from '../../env.ts'
import { evidenceStore } from './configured-store.ts'
import { type EvidenceFlaw, type EvidenceRef, judgeEvidence } from './evidence-store.ts'
import { findOwnFiles } from './own-files.ts'

/** `elsewhere` = not in this data folder, and not expected to be. */
export type FileState = 'whole' | 'pruned' | 'elsewhere' | EvidenceFlaw

export type JudgeFile = (ref: EvidenceRef, directory: string) => Promise<FileState>

/** Returns a check that compares a file with its sealed digest, and decides whether an absent one was expected. */
export function fileJudge(
  pruned: { has: (place: string) => boolean },
  dataDir = env().dataDir,
): JudgeFile {
  const store = evidenceStore(dataDir)
  const isHere = findOwnFiles(dataDir)
  return async (ref, directory) => {
    const found = await judgeEvidence(store, ref)
    if (found !== 'missing') return found
    if (pruned.has(ref.place)) return 'pruned'
    return isHere && !isHere(directory) ? 'elsewhere' : 'missing'
  }
}
