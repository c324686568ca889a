import type { CorrectionNote } from '#lib/domain/api/index.ts'
import type { ArchivedRun } from '#lib/domain/archive/index.ts'
import type { Board } from '#lib/domain/board/index.ts'
import type { AnyEpisode, EvidenceFile, Provenance } from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'

/** `cut`: longer than was asked for, so its digest was not compared. */
export type EvidenceState = 'whole' | 'cut' | 'changed' | 'missing'
export type ReadFile = { state: EvidenceState; bytes: Uint8Array }

/** Reads at most `limit` bytes of a file that the envelope names. */
export type ReadEvidence = (
  episode: AnyEpisode,
  file: EvidenceFile,
  limit: number,
) => Promise<ReadFile>

/** Everything that pages without a server show. */
export type SiteInput = {
  /** The first one is the start page. */
  boards: readonly Board[]
  /** Versions of suites whose tasks are known in full. */
  suites: readonly Suite[]
  runs: readonly ArchivedRun[]
  provenanceOf: (runId: string) => Provenance
  /** Corrections of runs and episodes; absent = there is no ledger. */
  correctionsOf?: (targets: readonly string[]) => CorrectionNote[]
  read: ReadEvidence
  /** Pages are drawn for these alone; absent = for all. */
  episodeIds?: ReadonlySet<string>
  version: string | null
  /** Set for the copy of a board; null = made from result files. */
  copy: { at: string; original: string } | null
}

/** A file of the site. */
export type SiteFile = { type: string; body: string | Uint8Array }

export type Site = {
  /** The path of every file, relative to the folder of the site. */
  paths: readonly string[]
  /** Returns null for an unknown path or missing evidence. */
  draw: (path: string) => Promise<SiteFile | null>
}

/** Bytes of a file that a page shows; the whole file is a link away. */
export const MAX_SHOWN_BYTES = 512 << 10
/** Bytes of a file that a site contains at all. */
export const MAX_FILE_BYTES = 256 << 20
