import { expect, it } from 'vitest'
import { z } from 'zod'
import { steps } from '#lib/testing/cases/transcripts/said.ts'
import { sampleTranscript } from '#lib/testing/factories/sample-transcript.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import { writeMessages } from './inspect-messages.ts'
import { toAtif } from './write-atif.ts'

const count = z.number().int().nonnegative()
const extra = z.record(z.string(), z.unknown())

// The published models: no other members, and agent-only members only on agent steps.
const other = z.strictObject({
  step_id: z.number().int().positive(),
  timestamp: z.iso.datetime(),
  source: z.enum(['system', 'user']),
  message: z.string(),
  extra,
})
const agent = z.strictObject({
  ...other.shape,
  source: z.literal('agent'),
  model_name: z.string().optional(),
  reasoning_content: z.string().optional(),
  tool_calls: z
    .array(
      z.strictObject({ tool_call_id: z.string(), function_name: z.string(), arguments: extra }),
    )
    .optional(),
  observation: z
    .strictObject({
      results: z.array(
        z.strictObject({ source_call_id: z.string().optional(), content: z.string() }),
      ),
    })
    .optional(),
  metrics: z
    .strictObject({
      prompt_tokens: count,
      completion_tokens: count,
      cached_tokens: count,
      cost_usd: z.number().nonnegative(),
    })
    .partial()
    .optional(),
})
const trajectorySchema = z.strictObject({
  schema_version: z.literal('ATIF-v1.4'),
  session_id: z.string(),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().optional(),
  }),
  steps: z.array(z.union([other, agent])).min(1),
  notes: z.string(),
  final_metrics: z.strictObject({
    total_prompt_tokens: count.optional(),
    total_completion_tokens: count.optional(),
    total_cached_tokens: count.optional(),
    total_cost_usd: z.number().nonnegative().optional(),
    total_steps: count,
  }),
  extra,
})

it('writes a trajectory by the rules of its format', () => {
  const trajectory = trajectorySchema.parse(toAtif(sampleEpisode(), sampleTranscript()))
  expect(trajectory.steps.map(({ step_id }) => step_id)).toEqual(
    trajectory.steps.map((_, place) => place + 1),
  )
  for (const step of trajectory.steps) {
    if (step.source !== 'agent') continue
    const ids = step.tool_calls?.map(({ tool_call_id }) => tool_call_id) ?? []
    for (const { source_call_id } of step.observation?.results ?? [])
      expect(ids).toContain(source_call_id)
  }
  expect(trajectory.steps.some((step) => 'observation' in step)).toBe(true)
  expect(trajectory.final_metrics.total_steps).toBe(trajectory.steps.length)
})

it('leaves out what is unknown, and shows arguments that are not an object', () => {
  const transcript = sampleTranscript()
  const [first] = transcript.steps.filter(({ role }) => role === 'assistant')
  if (!first) throw new Error('the sample has no answer')
  const unknown = { input: null, output: null, cached: null }
  const step = {
    ...first,
    tokens: null,
    costMicroUsd: null,
    soFar: { ...unknown, costMicroUsd: null },
    toolCalls: [{ id: null, name: 'patch', arguments: '*** Begin Patch' }],
  }
  const written = toAtif(sampleEpisode(), { ...transcript, steps: [step] })
  expect(written.steps[0]?.metrics).toBeUndefined()
  expect(written.steps[0]?.tool_calls?.[0]?.arguments).toEqual({ input: '*** Begin Patch' })
  expect(written.final_metrics).toEqual({ total_steps: 1 })
})

it('puts results to calls without an id, as those of Gemini are', () => {
  const stepsText = steps(
    { toolCalls: ['x', 'x'].map((name) => ({ id: null, name, arguments: '{}' })) },
    ...['1', '2'].map((text) => ({
      role: 'tool' as const,
      toolResult: { callId: 'x', text },
    })),
  )
  const written = toAtif(sampleEpisode(), { ...sampleTranscript(), steps: stepsText })
  const { steps: found } = trajectorySchema.parse(written)
  expect(found).toMatchObject([
    {
      observation: {
        results: [
          { source_call_id: 'step-1-0', content: '1' },
          { source_call_id: 'step-1-1', content: '2' },
        ],
      },
    },
  ])
  const messages = writeMessages(stepsText)
  expect(messages.slice(1)).toMatchObject([
    { role: 'tool', tool_call_id: 'step-1-0', function: 'x' },
    { role: 'tool', tool_call_id: 'step-1-1', function: 'x' },
  ])
})
