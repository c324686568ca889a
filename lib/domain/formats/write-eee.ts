import { commonVerifier, type GradingMetrics, type Rate } from '../board/index.ts'
import type { EvaluatedHere } from '../eligibility/index.ts'
import {
  type AnyEpisode,
  type Digest,
  isScored,
  outcomeReason,
  type RowSettings,
  type Subject,
  subjectLabel,
} from '../record/index.ts'
import { CONFIDENCE } from '../statistics/index.ts'
import type { TranscriptStep } from '../transcript/index.ts'
import {
  type Exported,
  type ExportedSlot,
  gradingTexts,
  type Pieces,
  readSlots,
} from './exported.ts'

/** Every Eval Ever, the version whose fields these are. */
const EEE_VERSION = '0.3.0'

/** What an aggregate is about, of a run, of a row, or of a row on a board. */
export type EeeSource = {
  suiteId: string
  suiteDigest: Digest
  subject: Subject
  settings: RowSettings
  rate: Rate
  startedAt: string
  endedAt: string
  harness: { name: string; version: string | null }
  details: Readonly<Record<string, string>>
}

export type EeeInstances = { filePath: string; checksum: string; rows: number }

/** The aggregate record of one evaluation, with its interval; where nothing was scored it has no result. */
export function toEee(source: EeeSource, instances: EeeInstances | null) {
  const { subject, harness, rate } = source
  return {
    schema_version: EEE_VERSION,
    evaluation_id: evaluationId(source),
    evaluation_timestamp: source.startedAt,
    // Its own record is made when it is asked for: the end of the evaluation keeps equal ones equal.
    retrieved_timestamp: unixSeconds(source.endedAt),
    source_metadata: {
      source_name: 'Proofboard',
      source_type: 'evaluation_run',
      source_organization_name: 'unknown',
      evaluator_relationship: 'other',
      additional_details: source.details,
    },
    eval_library: { name: harness.name, version: harness.version ?? 'unknown' },
    model_info: {
      name: subject.modelRequested ?? subject.name,
      id: modelId(subject),
      ...(subject.provider ? { inference_platform: subject.provider } : {}),
      additional_details: {
        agent_name: subject.name,
        agent_version: subject.version ?? 'unknown',
        subject_kind: subject.kind,
      },
    },
    evaluation_results: rate.rate === null ? [] : [toResult(source, rate.rate)],
    ...(instances && {
      detailed_evaluation_results: {
        format: 'jsonl',
        file_path: instances.filePath,
        hash_algorithm: 'sha256',
        checksum: instances.checksum,
        total_rows: instances.rows,
      },
    }),
  }
}

/** Both results of grading as details of a source, which are texts. */
export function gradingDetails(figures: GradingMetrics | undefined): Record<string, string> {
  if (!figures) return {}
  const { visiblePassed, heldOutPassed, heldOutScored, heldOutTasks } = figures
  return {
    visible_passed: String(visiblePassed),
    held_out_tasks: String(heldOutTasks),
    ...(heldOutPassed === null
      ? {}
      : { held_out_passed: String(heldOutPassed), held_out_scored: String(heldOutScored) }),
    verifier_sandbox: commonVerifier(figures, 'sandbox') ?? 'unknown',
  }
}

/** How many of a row's solutions were evaluated again here, and with what result, as details of a source. */
export function evaluationDetails(figures: EvaluatedHere | undefined): Record<string, string> {
  if (!figures) return {}
  const { reason, ...counts } = figures
  const texts = Object.entries(counts).map(([name, count]) => [
    `evaluated_here_${name}`,
    String(count),
  ])
  return { ...Object.fromEntries(texts), ...(reason && { evaluated_here_reason: reason }) }
}

function evaluationId({ suiteId, subject, endedAt }: EeeIdentity): string {
  return `${suiteId}/${modelId(subject)}/${unixSeconds(endedAt)}`
}
type EeeIdentity = Pick<EeeSource, 'suiteId' | 'subject' | 'endedAt'>

/** Joins the instances to their aggregate. */
function resultId(source: EeeIdentity): string {
  return `${evaluationId(source)}#success_rate`
}

function modelId(subject: Subject): string {
  return subject.modelRequested ?? subjectLabel(subject)
}

function toResult(source: EeeSource, score: number) {
  const { suiteId, suiteDigest, settings, rate } = source
  const { low, high, method, attempts, tasks, voids } = rate
  return {
    evaluation_result_id: resultId(source),
    evaluation_name: suiteId,
    source_data: {
      ...{ dataset_name: suiteId, source_type: 'other', source_id: suiteDigest },
      source_version: suiteDigest,
    },
    evaluation_timestamp: source.startedAt,
    metric_config: {
      evaluation_description: 'Share of solved tasks: the final contract passed.',
      metric_id: 'proofboard.success_rate',
      metric_name: 'Success rate',
      metric_kind: 'pass_rate',
      metric_unit: 'proportion',
      lower_is_better: false,
      score_type: 'continuous',
      min_score: 0,
      max_score: 1,
    },
    score_details: {
      score,
      details: {
        tasks: String(tasks),
        scored_episodes: String(attempts),
        void_episodes: String(voids),
      },
      uncertainty: {
        ...(low !== null && high !== null
          ? {
              confidence_interval: {
                lower: low,
                upper: high,
                confidence_level: CONFIDENCE,
                method,
              },
            }
          : {}),
        num_samples: attempts,
      },
    },
    generation_config: { generation_args: toArguments(settings) },
  }
}

/** Only what is known; a temperature that the provider fixes is no number. */
function toArguments(settings: RowSettings) {
  const { temperature, timeoutMs, maxTokens, isolation, maxAttempts } = settings
  const limits = {
    ...(timeoutMs === null ? {} : { time_limit: Math.round(timeoutMs / 1000) }),
    ...(maxTokens === null ? {} : { token_limit: maxTokens }),
  }
  return {
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(Object.keys(limits).length > 0 ? { eval_limits: limits } : {}),
    ...(isolation === null ? {} : { sandbox: { type: isolation } }),
    ...(maxAttempts === null ? {} : { max_attempts: maxAttempts }),
  }
}

function unixSeconds(instant: string): string {
  return String(Math.floor(Date.parse(instant) / 1000))
}

/**
 * The instances behind an aggregate of Every Eval Ever, one scored slot a line: a void one has no score to give. Its turns
 * are those of the transcript; where none is at hand, the format wants one turn, and it has no words.
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
    const turns = toTurns((await slot.said?.())?.steps ?? [])
    yield `${JSON.stringify({ ...shared, ...toInstance(slot, turns) })}\n`
  }
}

type Turn = { turn_idx: number; role: string; content: string | null } & Record<string, unknown>

const NO_TURNS: Turn[] = [{ turn_idx: 0, role: 'user', content: null }]

function toTurns(steps: readonly TranscriptStep[]): Turn[] {
  if (steps.length === 0) return NO_TURNS
  return steps.map(({ role, text, toolCalls, toolResult }, place) => ({
    turn_idx: place,
    role,
    content: toolResult?.text ?? text,
    ...(toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map(({ id, name, arguments: given }, call) => ({
            id: id ?? `${place}-${call}`,
            name,
            arguments: { text: given },
          })),
        }),
    ...(toolResult?.callId ? { tool_call_id: [toolResult.callId] } : {}),
  }))
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

/** The format knows no half of it: input and output, or nothing. */
function tokenUsage({ usage }: AnyEpisode) {
  const { input, output, cacheRead, cacheWrite, reasoning } = usage?.tokens ?? NONE
  if (input === null || output === null) return null
  return {
    ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
    ...{ input_tokens_cache_write: cacheWrite, input_tokens_cache_read: cacheRead },
    reasoning_tokens: reasoning,
  }
}

const NONE = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null }
