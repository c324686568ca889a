import { commonVerifier, type GradingMetrics, type Rate } from '../board/index.ts'
import { type Digest, digestJson } from '../digest/index.ts'
import type { EvaluatedHere } from '../eligibility/index.ts'
import { type Subject, subjectLabel } from '../record/index.ts'
import type { RowSettings } from '../settings/index.ts'
import { CONFIDENCE } from '../statistics/index.ts'

/** Version of the Every Eval Ever format. */
export const EEE_VERSION = '0.3.0'

/** Data of an aggregate: from a run, a row, or a row on a board. */
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

/** The file of instances: its exported name, and the SHA-256 of its bytes in hex. */
export type EeeInstances = { fileName: string; checksum: string; rows: number }

/** Builds the aggregate record of one evaluation, with its interval; without scored episodes it has no result. */
export function toEee(source: EeeSource, instances: EeeInstances | null) {
  const { subject, harness, rate } = source
  return {
    schema_version: EEE_VERSION,
    evaluation_id: evaluationId(source),
    evaluation_timestamp: source.startedAt,
    // The record is made on request: the end of the evaluation keeps the bytes the same each time.
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
        // Required by the format, but unknown here.
        deployment_type: 'unknown',
        model_availability: 'unknown',
        agent_name: subject.name,
        agent_version: subject.version ?? 'unknown',
        subject_kind: subject.kind,
      },
    },
    evaluation_results: rate.rate === null ? [] : [toResult(source, rate.rate)],
    ...(instances && {
      detailed_evaluation_results: {
        format: 'jsonl',
        file_path: placeInstances(source, instances),
        hash_algorithm: 'sha256',
        checksum: instances.checksum,
        total_rows: instances.rows,
        additional_details: { exported_as: instances.fileName },
      },
    }),
  }
}

/**
 * Path of the instances in an Every Eval Ever collection; the aggregate is next to it, with the same id. The id has the
 * form of a random one, but is derived from the content, so that the same results give the same bytes.
 */
function placeInstances(source: EeeSource, { checksum }: EeeInstances): string {
  const { suiteId, subject } = source
  const hex = digestJson([evaluationId(source), checksum]).slice('sha256:'.length)
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  const uuid = [...parts, hex.slice(20, 32)].join('-')
  const folders = [suiteId, subject.provider ?? 'unknown', modelId(subject)].map(folderName)
  return ['data', ...folders, `${uuid}_samples.jsonl`].join('/')
}

function folderName(text: string): string {
  return text.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '_') || 'unknown'
}

/** Both grading results as details of a source, as text. */
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

/** Number of a row's solutions that were evaluated again here, by result, as details of a source. */
export function evaluationDetails(figures: EvaluatedHere | undefined): Record<string, string> {
  if (!figures) return {}
  const { reason, ...counts } = figures
  const texts = Object.entries(counts).map(([name, count]) => [
    `evaluated_here_${name}`,
    String(count),
  ])
  return { ...Object.fromEntries(texts), ...(reason && { evaluated_here_reason: reason }) }
}

export function evaluationId({ suiteId, subject, endedAt }: EeeIdentity): string {
  return `${suiteId}/${modelId(subject)}/${unixSeconds(endedAt)}`
}
type EeeIdentity = Pick<EeeSource, 'suiteId' | 'subject' | 'endedAt'>

/** Joins the instances to their aggregate. */
export function resultId(source: EeeIdentity): string {
  return `${evaluationId(source)}#success_rate`
}

export function modelId(subject: Subject): string {
  return subject.modelRequested ?? subjectLabel(subject)
}

function toResult(source: EeeSource, score: number) {
  const { suiteId, suiteDigest, settings, rate } = source
  const { low, high, method, attempts, tasks, voids } = rate
  return {
    evaluation_result_id: resultId(source),
    evaluation_name: suiteId,
    source_data: {
      dataset_name: suiteId,
      source_type: 'other',
      source_id: suiteDigest,
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

/** Only known values; a temperature fixed by the provider is not a number. */
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
