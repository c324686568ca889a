import type { EvidenceFile } from '#lib/domain/record/index.ts'
import {
  checkBehaviours,
  parseTranscript,
  SCANNER_VERSION,
  type ScanKnowledge,
  scanTranscript,
  TRANSCRIPT_FILE,
} from '#lib/domain/transcript/index.ts'
import type { TranscriptFile } from './transcript-file.ts'

/**
 * Adds the findings of the scanners, and describes the file for the envelope. Null = it is missing, or not what was
 * written: a subject without a sandbox can reach it, and text from another writer is not a record of the gateway.
 */
export function sealTranscript(
  file: TranscriptFile | null,
  knowledge: ScanKnowledge,
): EvidenceFile | null {
  if (file === null) return null
  try {
    const text = file.read()
    if (text === null) return null
    const read = parseTranscript(text) ?? { steps: [], end: null }
    const findings = scanTranscript(read.steps, knowledge)
    const { expect } = knowledge
    const behaviour = expect && { behaviour: checkBehaviours(read, expect) }
    const sealed = file.close({ scannerVersion: SCANNER_VERSION, findings, ...behaviour })
    return { role: 'transcript', path: TRANSCRIPT_FILE, ...sealed }
  } catch {
    return null // missing, or no space for it
  }
}
