import { z } from 'zod'
import { type Digest, digestSchema } from '../digest.ts'
import type { Episode } from '../episode.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { Shard } from '../expand-plan.ts'
import type { LedgerEntry } from '../ledger/ledger-entry.ts'
import { relativePathSchema, slugSchema } from '../names.ts'
import type { Plan } from '../plan.ts'
import type { Suite } from '../suite.ts'

/** One run as it was submitted: what its `result.json` holds. */
export type ArchivedRun = {
  runId: string
  plan: Plan
  /** Null = the run is the whole plan. */
  shard: Shard | null
  episodes: readonly Episode[]
}

/** The artifacts that every published number can be computed from again. */
export type Archive = {
  /** Every version of every suite, each once. */
  suites: readonly Suite[]
  /** The version that is shown, by suite id. */
  current: ReadonlyMap<string, Digest>
  runs: readonly ArchivedRun[]
  /** What judging solutions from elsewhere gave; absent = none was. */
  evaluations?: readonly Evaluation[]
  /** Null = there is no ledger: every run counts, and nobody vouches for it. */
  entries: readonly LedgerEntry[] | null
}

/** Something that does not hold: where, and what is wrong there in one sentence. */
export type Flaw = { place: string; problem: string }

export const ARCHIVE_KIND = 'proofboard-archive'

/** `manifest.json` of an exported archive: every other file with its digest and size. */
export const manifestSchema = z.object({
  kind: z.literal(ARCHIVE_KIND),
  schemaVersion: z.literal(1),
  currentSuites: z.record(slugSchema, digestSchema),
  files: z.array(
    z.object({
      path: relativePathSchema,
      digest: digestSchema,
      bytes: z.number().int().nonnegative(),
    }),
  ),
})
export type Manifest = z.infer<typeof manifestSchema>
