import { type AnyEpisode, isScored, outcomeReason } from '../record/index.ts'
import { callIdOf, linkCalls, type TranscriptStep } from '../transcript/index.ts'
import {
  type Exported,
  type ExportedSlot,
  gradingTexts,
  type Pieces,
  readSlots,
} from './exported.ts'
import { EEE_VERSION, evaluationId, modelId, resultId } from './write-eee.ts'

/**
 * Writes the instances behind an Every Eval Ever aggregate, one scored slot per line; void slots have no score. The
 * number of turns is the transcript's; without one it is 1, as the format requires, with no text.
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
  for await (const slot of readSlots(exported)) {
    if (!isScored(slot.last.outcome.status)) continue
    const turns = toTurns((await slot.transcript?.())?.steps ?? [])
    yield `${JSON.stringify({ ...shared, ...toInstance(slot, turns) })}\n`
  }
}

type Turn = { turn_idx: number; role: string; content: string | null } & Record<string, unknown>

const NO_TURNS: Turn[] = [{ turn_idx: 0, role: 'user', content: null }]

function toTurns(steps: readonly TranscriptStep[]): Turn[] {
  if (steps.length === 0) return NO_TURNS
  const links = linkCalls(steps)
  return steps.map((step, turn) => {
    const { role, text, toolCalls, toolResult } = step
    const link = links.get(step)
    const callId = link ? callIdOf(link) : toolResult?.callId
    return {
      turn_idx: turn,
      role,
      content: toolResult?.text ?? text,
      ...(toolCalls.length > 0 && {
        tool_calls: toolCalls.map(({ name, arguments: given }, place) => ({
          id: callIdOf({ step, place }),
          name,
          arguments: { text: given },
        })),
      }),
      ...(callId && { tool_call_id: [callId] }),
    }
  })
}

function toInstance(
  { last: episode, evaluatedHere }: Pick<ExportedSlot, 'last' | 'evaluatedHere'>,
  messages: readonly Turn[],
) {
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
    messages,
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
      ...(evaluatedHere && { evaluated_here: evaluatedHere }),
    },
  }
}

function countCalls(calls: Readonly<Record<string, number>> | null): number | null {
  return calls && Object.values(calls).reduce((sum, count) => sum + count, 0)
}

/** The format requires both input and output, or neither. */
function tokenUsage({ usage }: AnyEpisode) {
  const { input, output, cacheRead, cacheWrite, reasoning } = usage?.tokens ?? NONE
  if (input === null || output === null) return null
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_cache_write: cacheWrite,
    input_tokens_cache_read: cacheRead,
    reasoning_tokens: reasoning,
  }
}

const NONE = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null }
