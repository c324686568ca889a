import type { Episode } from '../episode.ts'
import { isScored, outcomeReason } from '../outcome.ts'
import { type Exported, type Pieces, readSlots } from './exported.ts'
import { gradingTexts } from './grading-texts.ts'
import { EEE_VERSION, evaluationId, modelId, resultId } from './write-eee.ts'

/**
 * The instances behind an aggregate of Every Eval Ever, one scored slot a line: a void one has no score to give. What an
 * agent said is no part of an envelope, so the transcript that the format wants is one turn without words.
 */
export async function* writeEeeInstances(exported: Exported): Pieces {
  const { suiteId, subject, endedAt } = exported
  if (endedAt === null) return
  const identity = { suiteId, subject, endedAt }
  const shared = {
    schema_version: EEE_VERSION,
    evaluation_id: evaluationId(identity),
    model_id: modelId(subject),
    evaluation_name: suiteId,
    evaluation_result_id: resultId(identity),
  }
  for await (const { last } of readSlots(exported)) {
    if (isScored(last.outcome.status))
      yield `${JSON.stringify({ ...shared, ...toInstance(last) })}\n`
  }
}

function toInstance(episode: Episode) {
  const { outcome, effort, failureCategory } = episode
  const isSolved = outcome.status === 'solved'
  const grading = gradingTexts(episode)
  const latency = effort.wall.subjectMs ?? effort.wall.totalMs
  return {
    sample_id: episode.taskId,
    sample_hash: episode.taskDigest.slice('sha256:'.length),
    interaction_type: 'agentic',
    input: { raw: episode.taskId, reference: [] },
    output: null,
    messages: [{ turn_idx: 0, role: 'user', content: null }],
    answer_attribution: [],
    evaluation: {
      score: isSolved ? 1 : 0,
      is_correct: isSolved,
      num_turns: effort.steps || null,
      tool_calls_count: countCalls(effort.toolCalls),
    },
    token_usage: tokenUsage(episode),
    performance: latency === null ? null : { latency_ms: latency },
    error: isSolved ? null : outcomeReason(outcome),
    metadata: {
      episode_id: episode.episodeId,
      run_id: episode.runId,
      repetition: String(episode.repetition),
      outcome: outcome.status,
      category: episode.category,
      ...(failureCategory === null ? {} : { failure_category: failureCategory }),
      ...(grading && { visible_tests: grading.visibleTests, held_out: grading.heldOut }),
      ...(grading?.verifier && { verifier_sandbox: grading.verifier.sandbox }),
    },
  }
}

function countCalls(calls: Readonly<Record<string, number>> | null): number | null {
  return calls && Object.values(calls).reduce((sum, count) => sum + count, 0)
}

/** The format knows no half of it: input and output, or nothing. */
function tokenUsage({ usage }: Episode) {
  const { input, output, cacheRead, cacheWrite, reasoning } = usage?.tokens ?? NONE
  if (input === null || output === null) return null
  return {
    ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
    ...{ input_tokens_cache_write: cacheWrite, input_tokens_cache_read: cacheRead },
    reasoning_tokens: reasoning,
  }
}

const NONE = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null }
