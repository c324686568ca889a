import type { AnyEpisode } from '../record/index.ts'
import { parseObject } from '../text/index.ts'
import { callIdOf, linkCalls, type Transcript, type TranscriptStep } from '../transcript/index.ts'

/** Version of Harbor's Agent Trajectory Interchange Format. */
const ATIF_VERSION = 'ATIF-v1.4'

/** The parts of a transcript that a trajectory needs. */
export type TranscriptSource = Pick<Transcript, 'head' | 'steps' | 'end'>

type Identity = Pick<AnyEpisode, 'episodeId' | 'runId' | 'taskId' | 'subject'>

type Observation = { source_call_id: string; content: string }

type AtifStep = {
  step_id: number
  timestamp: string
  source: 'system' | 'user' | 'agent'
  message: string
  model_name?: string
  reasoning_content?: string
  tool_calls?: { tool_call_id: string; function_name: string; arguments: Record<string, unknown> }[]
  observation?: { results: Observation[] }
  metrics?: Record<string, number>
  extra: Record<string, unknown>
}

/**
 * Converts an episode's transcript to a trajectory: each response of the model is a step, and the results of its tool
 * calls are its observation. Unknown values are left out; values without a place in the format go into `extra`.
 */
export function toAtif(episode: Identity, { head, steps: transcriptSteps, end }: TranscriptSource) {
  const steps: AtifStep[] = []
  const links = linkCalls(transcriptSteps)
  const writtenOf = new Map<TranscriptStep, AtifStep>()
  for (const step of transcriptSteps) {
    const link = links.get(step)
    const asking = link && writtenOf.get(link.step)
    if (step.toolResult && asking) {
      observe(asking, callIdOf(link), step.toolResult.text)
      continue
    }
    const written = writeStep(step, steps.length + 1, head.startedAt)
    steps.push(written)
    writtenOf.set(step, written)
  }
  return {
    schema_version: ATIF_VERSION,
    session_id: episode.episodeId,
    agent: {
      name: head.agent.name,
      version: head.agent.version ?? 'unknown',
      ...(head.model === null ? {} : { model_name: head.model }),
    },
    steps,
    notes: describe(head.simulated === true, end !== null),
    final_metrics: finalMetrics(transcriptSteps, steps.length),
    extra: { run_id: episode.runId, task_id: episode.taskId, provider: head.provider },
  }
}

function describe(isSimulated: boolean, isWhole: boolean): string {
  const parts = [
    'Written by Proofboard from the record of its gateway, without secrets and within limits.',
    isSimulated ? 'Simulated: no agent ever ran.' : null,
    isWhole ? null : 'Not complete: the runner was stopped.',
  ]
  return parts.filter(Boolean).join(' ')
}

/** An observation refers to a call of its own step. */
function observe(step: AtifStep, callId: string, content: string): void {
  step.observation ??= { results: [] }
  step.observation.results.push({ source_call_id: callId, content })
}

const SOURCES = { system: 'system', user: 'user', assistant: 'agent', tool: 'user' } as const

function writeStep(step: TranscriptStep, stepId: number, startedAt: string): AtifStep {
  const { role, atMs, text, toolResult, reasoning, model, toolCalls } = step
  const shared: AtifStep = {
    step_id: stepId,
    timestamp: new Date(Date.parse(startedAt) + atMs).toISOString(),
    source: SOURCES[role],
    message: text ?? toolResult?.text ?? '',
    extra: extraOf(step),
  }
  // Only agent steps may have these members.
  if (role !== 'assistant') return shared
  const metrics = metricsOf(step)
  return {
    ...shared,
    ...(model === null ? {} : { model_name: model }),
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0
      ? {}
      : { tool_calls: toolCalls.map((_, place) => toToolCall(step, place)) }),
    ...(Object.keys(metrics).length === 0 ? {} : { metrics }),
  }
}

function extraOf({ index, call, thread, mark, trouble, changes, cutChars }: TranscriptStep) {
  return {
    transcript_step: index,
    gateway_call: call,
    conversation: thread,
    ...(mark === null ? {} : { mark }),
    ...(trouble === null ? {} : { trouble }),
    ...(changes === null ? {} : { workspace_changes_seen_on_arrival: changes.files }),
    ...(cutChars === 0 ? {} : { cut_characters: cutChars }),
  }
}

function toToolCall(step: TranscriptStep, place: number) {
  const { name = '', arguments: given = '' } = step.toolCalls[place] ?? {}
  return {
    tool_call_id: callIdOf({ step, place }),
    function_name: name,
    arguments: asObject(given),
  }
}

/** The format allows only objects: other values are wrapped in one. */
function asObject(text: string): Record<string, unknown> {
  return text === '' ? {} : (parseObject(text) ?? { input: text })
}

const DOLLAR = 1e6

function metricsOf({ tokens, costMicroUsd }: TranscriptStep): Record<string, number> {
  return knownOnly({
    prompt_tokens: tokens?.input ?? null,
    completion_tokens: tokens?.output ?? null,
    cached_tokens: tokens?.cached ?? null,
    cost_usd: costMicroUsd === null ? null : costMicroUsd / DOLLAR,
  })
}

function finalMetrics(transcriptSteps: readonly TranscriptStep[], steps: number) {
  const last = transcriptSteps.at(-1)?.soFar
  return {
    ...knownOnly({
      total_prompt_tokens: last?.input ?? null,
      total_completion_tokens: last?.output ?? null,
      total_cached_tokens: last?.cached ?? null,
      total_cost_usd: last?.costMicroUsd == null ? null : last.costMicroUsd / DOLLAR,
    }),
    total_steps: steps,
  }
}

function knownOnly(members: Record<string, number | null>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, number] => entry[1] !== null),
  )
}
