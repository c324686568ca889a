import type { CorrectionNote } from '#lib/domain/api/index.ts'
import type { Board } from '#lib/domain/board/index.ts'
import type {
  AnyEpisode,
  EvidenceFile,
  OutcomeStatus,
  Provenance,
  SubmittedRun,
} from '#lib/domain/record/index.ts'
import type { LibraryFacts, ReadMethodologyText } from '#lib/domain/reports/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'

/** `cut`: only the beginning was read, so its digest was not compared. */
export type EvidenceState = 'whole' | 'cut' | 'changed' | 'missing'
export type ReadFile = { state: EvidenceState; bytes: Uint8Array }

/** Reads at most `limit` bytes of a file that the envelope names. */
export type ReadEvidence = (
  episode: AnyEpisode,
  file: EvidenceFile,
  limit: number,
) => Promise<ReadFile>

/** Input of pages without a server. */
export type SiteInput = {
  /** The first board is the start page. */
  boards: readonly Board[]
  /** Suite versions with complete tasks. */
  suites: readonly Suite[]
  runs: readonly SubmittedRun[]
  provenanceOf: (runId: string) => Provenance
  /** Corrections of runs and episodes; absent = no ledger. */
  correctionsOf?: (targets: readonly string[]) => CorrectionNote[]
  /** The status that counts; absent = that of the envelope. */
  statusOf?: (episode: AnyEpisode) => OutcomeStatus
  read: ReadEvidence
  /** Limits the site to pages of these episodes; absent = all. */
  episodeIds?: ReadonlySet<string>
  /** Measurements of a suite's libraries apart from episodes; absent = none are known. */
  libraryFactsOf?: (suiteId: string) => LibraryFacts | null
  version: string | null
  /** Reads the Markdown of the methodology. */
  methodologyText: ReadMethodologyText
  /** Set for the copy of a board; null = made from result files. */
  copy: { at: string; original: string } | null
}

/** A file of the site. */
export type SiteFile = { type: string; body: string | Uint8Array }

/** A response of the API, at its address in the app. */
export type SiteData = { address: string; type: string; write: () => string }

/** The newest board of each suite. */
export function newestBoards({ boards }: Pick<SiteInput, 'boards'>): Board[] {
  return boards.filter(
    ({ suite }, at) => boards.findIndex((one) => one.suite.suiteId === suite.suiteId) === at,
  )
}

export type Site = {
  /** The path of every file, relative to the folder of the site. */
  paths: readonly string[]
  /** Returns null for an unknown path or missing evidence. */
  draw: (path: string) => Promise<SiteFile | null>
}

/** Bytes of a file that a page shows; the complete file is linked. */
export const MAX_SHOWN_BYTES = 512 << 10
/** Maximum size of a file in a site. */
export const MAX_FILE_BYTES = 256 << 20
