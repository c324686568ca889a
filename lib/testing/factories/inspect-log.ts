/** A solved sample, with random message ids as in Inspect. */
export const sample = (id: number | string, epoch: number, changes: object = {}) => ({
  id,
  epoch,
  input: [{ id: `drawn-${Math.random()}`, role: 'user', content: 'add one' }],
  target: '2',
  scores: { match: { value: 'C' } },
  started_at: '2026-03-01T10:00:00+00:00',
  completed_at: '2026-03-01T10:00:09+00:00',
  total_time: 9.5,
  ...changes,
})

/** A log of three samples in two epochs, each with another outcome. */
export const inspectLog = (changes: object = {}) => ({
  version: 2,
  status: 'success',
  eval: {
    run_id: 'r1',
    created: '2026-03-01T09:59:00+00:00',
    task: 'sums',
    task_version: 3,
    solver: 'react',
    model: 'openai/gpt-5',
    model_generate_config: { temperature: 0.5 },
    config: { epochs: 2, token_limit: 1000, time_limit: 60 },
    dataset: { name: 'sums', samples: 4 },
    packages: { inspect_ai: '0.3.150' },
  },
  stats: { started_at: '2026-03-01T10:00:00+00:00', completed_at: '2026-03-01T10:01:00+00:00' },
  samples: [
    sample('a', 1, {
      output: { model: 'gpt-5-2026-01-01' },
      messages: [
        { role: 'user', content: 'add one' },
        { role: 'assistant', tool_calls: [{ id: 'x', function: 'bash', arguments: {} }] },
        { role: 'tool', content: '2' },
        { role: 'assistant', content: '2' },
      ],
      model_usage: {
        'openai/gpt-5': {
          input_tokens: 10,
          output_tokens: 5,
          total_tokens: 15,
          input_tokens_cache_read: 4,
        },
        'openai/grader': { input_tokens: 900, output_tokens: 100, total_tokens: 1000 },
      },
    }),
    sample('a', 2, { scores: { match: { value: 'I' } } }),
    sample('b', 1, { scores: { match: { value: 0.25 } } }),
    sample('b', 2, { error: { message: 'sandbox died', traceback: '' }, scores: null }),
    sample('c', 1, { limit: { type: 'token', limit: 1000 }, scores: { match: { value: 'I' } } }),
    sample('c', 2, { scores: null, limit: { type: 'time', limit: 60 } }),
  ],
  ...changes,
})
