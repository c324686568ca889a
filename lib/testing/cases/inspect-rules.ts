import { z } from 'zod'

const whole = z.number().int()
const anything = z.record(z.string(), z.unknown())
const texts = z.record(z.string(), z.string())

// UKGovernmentBEIS/inspect_ai src/inspect_ai/log/_log.py, model/_chat_message.py, model/_model_output.py: the members
// of version 2 that are written here, with their types. Inspect drops other members, so none are allowed.
const inspectUsage = z.strictObject({
  input_tokens: whole,
  output_tokens: whole,
  total_tokens: whole,
  input_tokens_cache_read: whole.optional(),
  input_tokens_cache_write: whole.optional(),
  reasoning_tokens: whole.optional(),
  total_cost: z.number().optional(),
})
const inspectContent = z.union([
  z.string(),
  z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text'), text: z.string() }),
      z.strictObject({ type: z.literal('reasoning'), reasoning: z.string() }),
    ]),
  ),
])
const saidByInspect = { id: z.string(), content: inspectContent, metadata: anything }
const inspectMessage = z.discriminatedUnion('role', [
  z.strictObject({ ...saidByInspect, role: z.literal('system') }),
  z.strictObject({ ...saidByInspect, role: z.literal('user') }),
  z.strictObject({
    ...saidByInspect,
    role: z.literal('assistant'),
    source: z.literal('generate'),
    model: z.string().optional(),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string(),
          function: z.string(),
          arguments: anything,
          type: z.literal('function'),
          parse_error: z.string().optional(),
        }),
      )
      .min(1)
      .optional(),
  }),
  z.strictObject({
    ...saidByInspect,
    role: z.literal('tool'),
    tool_call_id: z.string().optional(),
    function: z.string().optional(),
  }),
])
const inspectError = z.strictObject({
  message: z.string(),
  traceback: z.string(),
  traceback_ansi: z.string(),
})
const instant = z.iso.datetime({ offset: true })
const usages = z.record(z.string(), inspectUsage)

export const inspectRules = z.strictObject({
  version: z.literal(2),
  status: z.enum(['started', 'success', 'cancelled', 'error']),
  eval: z.strictObject({
    run_id: z.string(),
    created: instant,
    task: z.string(),
    task_id: z.string(),
    task_version: z.union([whole, z.string()]),
    solver: z.string(),
    model: z.string(),
    dataset: z.strictObject({
      name: z.string(),
      samples: whole,
      sample_ids: z.array(z.string()),
      shuffled: z.boolean(),
    }),
    config: z.strictObject({
      epochs: whole,
      message_limit: whole.optional(),
      token_limit: whole.optional(),
      time_limit: z.number().optional(),
      cost_limit: z.number().optional(),
    }),
    packages: texts,
    metadata: anything,
  }),
  plan: z.strictObject({
    name: z.string(),
    steps: z.array(z.strictObject({ solver: z.string(), params: anything })),
    config: anything,
  }),
  results: z.strictObject({
    total_samples: whole,
    completed_samples: whole,
    scores: z.array(
      z.strictObject({
        name: z.string(),
        scorer: z.string(),
        reducer: z.string(),
        scored_samples: whole,
        unscored_samples: whole,
        params: anything,
        metrics: z.record(
          z.string(),
          z.strictObject({
            name: z.string(),
            value: z.number(),
            params: anything,
            metadata: anything,
          }),
        ),
      }),
    ),
  }),
  stats: z.strictObject({ started_at: instant, completed_at: instant, model_usage: usages }),
  invalidated: z.boolean(),
  samples: z.array(
    z.strictObject({
      id: z.string(),
      epoch: whole.min(1),
      input: z.string(),
      target: z.string(),
      messages: z.array(inspectMessage),
      output: z.strictObject({
        model: z.string(),
        choices: z.array(
          z.strictObject({ message: inspectMessage, stop_reason: z.literal('unknown') }),
        ),
        completion: z.string(),
      }),
      scores: z
        .record(
          z.string(),
          z.strictObject({
            value: z.enum(['C', 'I']),
            explanation: z.string().optional(),
            metadata: anything,
          }),
        )
        .nullable(),
      metadata: anything,
      model_usage: usages,
      uuid: z.string(),
      started_at: instant,
      completed_at: instant,
      total_time: z.number().optional(),
      working_time: z.number().optional(),
      error: inspectError.optional(),
      error_retries: z.array(inspectError).optional(),
      limit: z
        .strictObject({
          type: z.enum(['time', 'message', 'token', 'cost', 'operator', 'custom']),
          limit: z.number(),
        })
        .optional(),
    }),
  ),
})
