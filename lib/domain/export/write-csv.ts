import type { Episode } from '../episode.ts'
import { outcomeReason } from '../outcome.ts'
import type { Exported, ExportedEpisode, Pieces } from './exported.ts'
import { gradingTexts } from './grading-texts.ts'
import { type TableCell, toCsv } from './table-text.ts'

type Column = readonly [
  string,
  (episode: Episode, evaluatedHere: ExportedEpisode['evaluatedHere']) => TableCell,
]

const COLUMNS: readonly Column[] = [
  ['run_id', (e) => e.runId],
  ['episode_id', (e) => e.episodeId],
  ['suite', (e) => e.suiteId],
  ['suite_digest', (e) => e.suiteDigest],
  ['task', (e) => e.taskId],
  ['category', (e) => e.category],
  ['repetition', (e) => e.repetition],
  ['attempt', (e) => e.attempt],
  ['subject', (e) => e.subject.name],
  ['version', (e) => e.subject.version],
  ['provider', (e) => e.subject.provider],
  ['model_requested', (e) => e.subject.modelRequested],
  ['model_observed', (e) => e.subject.modelObserved.join(' ') || null],
  ['mode', (e) => e.mode],
  ['outcome', (e) => e.outcome.status],
  ['failure_category', (e) => e.failureCategory],
  ['reason', (e) => (e.outcome.status === 'solved' ? null : outcomeReason(e.outcome))],
  ['verdict', (e) => e.contract?.verdict ?? null],
  ['visible_tests', (e) => gradingTexts(e)?.visibleTests ?? null],
  ['held_out', (e) => gradingTexts(e)?.heldOut ?? null],
  ['verifier_sandbox', (e) => gradingTexts(e)?.verifier?.sandbox ?? null],
  ['verifier_network', (e) => gradingTexts(e)?.verifier?.network ?? null],
  ['verifier_digest', (e) => gradingTexts(e)?.verifier?.digest ?? null],
  ['evaluated_here', (_, evaluatedHere) => evaluatedHere ?? null],
  ['agent_success', (e) => flag(e.agentSuccess)],
  ['test_success', (e) => flag(e.testSuccess)],
  ['overall_success', (e) => flag(e.overallSuccess)],
  ['started_at', (e) => e.startedAt],
  ['ended_at', (e) => e.endedAt],
  ['subject_ms', (e) => e.effort.wall.subjectMs],
  ['verify_ms', (e) => e.effort.wall.verifyMs],
  ['total_ms', (e) => e.effort.wall.totalMs],
  ['steps', (e) => e.effort.steps],
  ['tokens_input', (e) => e.usage?.tokens.input ?? null],
  ['tokens_output', (e) => e.usage?.tokens.output ?? null],
  ['tokens_cache_read', (e) => e.usage?.tokens.cacheRead ?? null],
  ['tokens_cache_write', (e) => e.usage?.tokens.cacheWrite ?? null],
  ['tokens_reasoning', (e) => e.usage?.tokens.reasoning ?? null],
  ['cost_micro_usd', (e) => e.usage?.costMicroUsd ?? null],
  ['fault', (e) => e.fault?.plan ?? null],
  ['source', (e) => (e.schemaVersion === 2 ? e.source.format : null)],
  ['seal', (e) => e.seal],
]

/** One line an attempt, in the order of the run; what is unknown is an empty cell. */
export async function* writeCsv({ episodes }: Exported): Pieces {
  yield toCsv([COLUMNS.map(([name]) => name)])
  for await (const { read, evaluatedHere } of episodes()) {
    const episode = read()
    yield toCsv([COLUMNS.map(([, value]) => value(episode, evaluatedHere))])
  }
}

function flag(value: boolean | null): TableCell {
  return value === null ? null : String(value)
}
