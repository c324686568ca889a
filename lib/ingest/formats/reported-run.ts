import type { EvidenceFile } from '#lib/domain/episode.ts'
import { buildReported } from '#lib/domain/formats/build-reported.ts'
import type { ReportedRun } from '#lib/domain/formats/reported-run.ts'
import type { StoredFile } from '../body/stored-file.ts'
import type { IncomingRun } from '../format.ts'

/** Where each named piece of evidence lies. Two may hold the same bytes: each has a file of its own. */
export type ReportedFiles = ReadonlyMap<EvidenceFile, StoredFile>

/** A run that another program told, ready to be looked through like any other; `path` = where it stands. */
export function reportedToRun(
  path: string,
  reported: ReportedRun,
  files: ReportedFiles,
  notes: readonly string[] = [],
): IncomingRun {
  const { runId, plan, attempts } = buildReported(reported)
  const kept = new Map(
    reported.attempts.flatMap(({ evidence, repetition }, index) =>
      evidence.map((file) => [
        `${attempts[index]?.taskId}/${repetition}/${file.path}`,
        files.get(file),
      ]),
    ),
  )
  return {
    ...{ path, runId, plan, shard: null, rest: {} },
    envelopes: attempts.map(({ seal }, index) => ({
      path: `${path}${reported.attempts[index]?.recordName}`,
      read: seal,
      slot: null,
    })),
    findEvidence: ({ taskId, repetition }, name) => kept.get(`${taskId}/${repetition}/${name}`),
    notes: [sayUntold(reported), ...notes],
  }
}

function sayUntold({ harness, untold }: ReportedRun): string {
  const program = [harness.name, harness.version].filter(Boolean).join(' ')
  return `${program} did not report: ${untold.join(', ')}. These values stay unknown, so the entry cannot be ranked.`
}
