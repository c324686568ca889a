import { listCalls } from './scanners/asked-calls.ts'
import { findGivenUp } from './scanners/find-given-up.ts'
import { findLoop } from './scanners/find-loop.ts'
import { findReferenceRead, findTestsRead } from './scanners/find-read-files.ts'
import { findSearches } from './scanners/find-searches.ts'
import { findTestConstants } from './scanners/find-test-constants.ts'
import type { ScanKnowledge, Scanner } from './scanners/scan-knowledge.ts'
import type { ScanFinding, TranscriptStep } from './transcript.ts'

export type { ScanKnowledge } from './scanners/scan-knowledge.ts'

/** Raise it whenever a scanner's findings change. */
export const SCANNER_VERSION = 3

const MAX_STEPS_NAMED = 20

const SCANNERS: readonly Scanner[] = [
  findTestsRead,
  findReferenceRead,
  findSearches,
  findTestConstants,
  findGivenUp,
  findLoop,
]

/**
 * Finds places in a transcript that people should review. Deterministic, by keywords and never by a model. No score or
 * evidence rule uses it, because an agent can do each of these for honest reasons.
 */
export function scanTranscript(
  steps: readonly TranscriptStep[],
  knowledge: ScanKnowledge,
): ScanFinding[] {
  const scanned = { steps, calls: listCalls(steps) }
  return SCANNERS.flatMap((scan) => {
    const finding = scan(scanned, knowledge)
    return finding === null ? [] : [{ ...finding, steps: finding.steps.slice(0, MAX_STEPS_NAMED) }]
  })
}
