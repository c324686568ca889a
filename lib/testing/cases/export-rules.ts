import { z } from 'zod'

// Independent copies of the published schemas: ctrf-io/ctrf schema/ctrf.schema.json (specification 0.1.0), and
// evaleval/every_eval_ever every_eval_ever/schemas/eval.schema.json and instance_level_eval.schema.json.

const whole = z.number().int()
const anything = z.record(z.string(), z.unknown())
const status = z.enum(['passed', 'failed', 'skipped', 'pending', 'other'])

const ctrfRetry = z.strictObject({
  attempt: whole.min(1),
  status,
  duration: whole.optional(),
  start: whole.optional(),
  stop: whole.optional(),
  message: z.string().optional(),
})

export const ctrfRules = z.strictObject({
  reportFormat: z.literal('CTRF'),
  specVersion: z.string().regex(/^[0-9]+\.[0-9]+\.[0-9]+$/),
  generatedBy: z.string().optional(),
  results: z.strictObject({
    tool: z.strictObject({ name: z.string().min(1), version: z.string().optional() }),
    summary: z.strictObject({
      tests: whole,
      passed: whole,
      failed: whole,
      skipped: whole,
      pending: whole,
      other: whole,
      start: whole,
      stop: whole,
    }),
    tests: z.array(
      z.strictObject({
        name: z.string().min(1),
        status,
        duration: whole,
        start: whole.optional(),
        stop: whole.optional(),
        suite: z.array(z.string()).min(1).optional(),
        message: z.string().optional(),
        rawStatus: z.string().optional(),
        retries: whole.optional(),
        retryAttempts: z.array(ctrfRetry).optional(),
        extra: anything.optional(),
      }),
    ),
    extra: anything.optional(),
  }),
})

const texts = z.record(z.string(), z.string())

export const eeeRules = z.strictObject({
  schema_version: z.string(),
  evaluation_id: z.string(),
  evaluation_timestamp: z.string().optional(),
  retrieved_timestamp: z.string().regex(/^\d+$/),
  source_metadata: z.object({
    source_type: z.enum(['documentation', 'evaluation_run']),
    source_organization_name: z.string(),
    evaluator_relationship: z.enum(['first_party', 'third_party', 'collaborative', 'other']),
    additional_details: texts.optional(),
  }),
  eval_library: z.object({ name: z.string(), version: z.string() }),
  model_info: z.object({
    name: z.string(),
    id: z.string(),
    additional_details: texts.and(
      z.object({
        deployment_type: z.enum(['self_deployed', 'externally_managed', 'unknown']),
        model_availability: z.enum(['open_weights', 'closed_weights', 'unknown']),
      }),
    ),
  }),
  evaluation_results: z.array(
    z.object({
      evaluation_result_id: z.string(),
      evaluation_name: z.string(),
      source_data: z.object({ dataset_name: z.string(), source_type: z.literal('other') }),
      metric_config: z.object({
        lower_is_better: z.boolean(),
        score_type: z.literal('continuous'),
        min_score: z.number(),
        max_score: z.number(),
      }),
      score_details: z.object({
        score: z.number(),
        details: texts.optional(),
        uncertainty: z.object({
          confidence_interval: z
            .object({
              lower: z.number(),
              upper: z.number(),
              confidence_level: z.number().min(0).max(1),
              method: z.string(),
            })
            .optional(),
          num_samples: whole,
        }),
      }),
      generation_config: z.object({
        generation_args: z.strictObject({
          temperature: z.number().nullable().optional(),
          eval_limits: z
            .object({ time_limit: whole.optional(), token_limit: whole.optional() })
            .optional(),
          sandbox: z.object({ type: z.string() }).optional(),
          max_attempts: whole.optional(),
        }),
      }),
    }),
  ),
  detailed_evaluation_results: z
    .object({
      format: z.literal('jsonl'),
      file_path: z
        .string()
        .regex(
          /^data(\/[^/]+){3}\/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}_samples\.jsonl$/,
        ),
      hash_algorithm: z.enum(['sha256', 'md5']),
      checksum: z.string(),
      total_rows: whole,
    })
    .optional(),
})

const count = whole.min(0).nullable()

export const eeeInstanceRules = z.strictObject({
  schema_version: z.string(),
  evaluation_id: z.string(),
  model_id: z.string(),
  evaluation_name: z.string(),
  evaluation_result_id: z.string(),
  sample_id: z.string(),
  sample_hash: z.string().nullable(),
  interaction_type: z.literal('agentic'),
  input: z.object({ raw: z.string(), reference: z.array(z.string()) }),
  output: z.null(),
  messages: z
    .array(z.object({ turn_idx: whole.min(0), role: z.string(), content: z.string().nullable() }))
    .min(1),
  answer_attribution: z.array(z.unknown()),
  evaluation: z.object({
    score: z.number(),
    is_correct: z.boolean(),
    num_turns: whole.min(1).nullable(),
    tool_calls_count: count,
  }),
  token_usage: z
    .object({
      input_tokens: whole.min(0),
      output_tokens: whole.min(0),
      total_tokens: whole.min(0),
      input_tokens_cache_write: count,
      input_tokens_cache_read: count,
      reasoning_tokens: count,
    })
    .nullable(),
  performance: z.object({ latency_ms: z.number().min(0).nullable() }).nullable(),
  error: z.string().nullable(),
  metadata: texts,
})
