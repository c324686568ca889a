import type { Kept, Row } from '#lib/db/read-kept.ts'
import { subjectId } from '#lib/db/subject-store.ts'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { targetingSchema } from '#lib/domain/browser/browser-record.ts'
import { digestReceipts } from '#lib/domain/ledger/digest-run.ts'
import type { LedgerAction } from '#lib/domain/ledger/ledger-action.ts'
import type { LedgerEntry } from '#lib/domain/ledger/ledger-entry.ts'
import type { Subject } from '#lib/domain/subject.ts'
import type { ParsedEpisode } from './parse-episode-rows.ts'

type Include = LedgerAction & { kind: 'include' }

/** Who sent what, and when it was received, as rows tell it against what the ledger wrote down. */
export function checkReceipts(
  { submissions, submittedRuns }: Pick<Kept, 'submissions' | 'submittedRuns'>,
  episodes: readonly ParsedEpisode[],
  entries: readonly LedgerEntry[],
): Flaw[] {
  const byId = new Map(submissions.map((row) => [row.id, row]))
  const sent = new Map<string, Row[]>()
  for (const { runId, submissionId } of submittedRuns) {
    const row = byId.get(submissionId)
    if (row) sent.set(String(runId), [...(sent.get(String(runId)) ?? []), row])
  }
  const flaws: Flaw[] = []
  const seals = new Map<string, LedgerEntry>()
  for (const entry of entries) {
    const { action } = entry
    if (action.kind === 'seal-run') seals.set(action.target, entry)
    if (action.kind === 'include') flaws.push(...checkSender(action, sent.get(action.target) ?? []))
  }
  for (const entry of seals.values()) flaws.push(...checkSeal(entry, episodes))
  return flaws
}

/** A program's results have a submission that says the same of their sender. */
function checkSender({ target, receipt }: Include, rows: readonly Row[]): Flaw[] {
  if (!receipt || (receipt.provenance !== 'token' && receipt.provenance !== 'oidc')) return []
  if (receipt.bodyDigest === null) return []
  const { bodyDigest, name, provenance } = receipt
  const found = rows.some(
    (row) => row.bodyDigest === bodyDigest && row.actor === name && row.provenance === provenance,
  )
  if (found) return []
  const problem = 'its sender or the digest of what was sent is not what the ledger says'
  return [{ place: `run ${target}`, problem }]
}

function checkSeal({ sequence, at, action }: LedgerEntry, all: readonly ParsedEpisode[]): Flaw[] {
  if (action.kind !== 'seal-run' || action.receipts === undefined) return []
  const own = all.filter(({ episode }) => episode.runId === action.target)
  const known = own.filter(({ receivedAt }) => receivedAt <= at)
  const receipts = known.map(({ episode, provenance, receivedAt }) => {
    return { episodeId: episode.episodeId, provenance, receivedAt }
  })
  if (digestReceipts(receipts) === action.receipts) return []
  const problem = `the times of receipt of its episodes are not those of ledger entry ${sequence}`
  return [{ place: `run ${action.target}`, problem }]
}

/** A subject's row is named by the digest of what it says. */
export function checkSubjects(rows: readonly Row[]): Flaw[] {
  return rows.flatMap((row) => {
    const { kind, name, version, adapterVersion, provider, modelRequested } = row
    const told = { kind, name, version, adapterVersion, provider, modelRequested } as Subject
    // One with a way of targeting has it in its digest and in no column.
    const targetings = targetingSchema.options
    const ids = [
      subjectId(told),
      ...targetings.map((targeting) => subjectId({ ...told, targeting })),
    ]
    if (ids.includes(String(row.id))) return []
    return [
      { place: `subject ${row.id}`, problem: 'it was renamed or changed after it was stored' },
    ]
  })
}
