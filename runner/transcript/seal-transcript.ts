import type { EvidenceFile } from '#lib/domain/record/index.ts'
import {
  parseTranscript,
  SCANNER_VERSION,
  type ScanKnowledge,
  scanTranscript,
  TRANSCRIPT_FILE,
} from '#lib/domain/transcript/index.ts'
import type { TranscriptFile } from './transcript-file.ts'

/**
 * Adds what the scanners find, and names the file for the envelope. Null = there is none, or it is not what was
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
    const findings = scanTranscript(parseTranscript(text)?.steps ?? [], knowledge)
    const sealed = file.close({ scannerVersion: SCANNER_VERSION, findings })
    return { role: 'transcript', path: TRANSCRIPT_FILE, ...sealed }
  } catch {
    return null // gone, or no room for it
  }
}
