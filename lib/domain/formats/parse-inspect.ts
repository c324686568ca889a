import { z } from 'zod'
import { type Digest, digestJson } from '../digest/index.ts'
import type { EvidenceFile } from '../record/index.ts'
import type { RowSettings } from '../settings/index.ts'
import type { ReportedAttempt, ReportedRun } from './reported-run.ts'
import { describeMissing, readTime, UNKNOWN_ZONE } from './reported-run.ts'

const text = (max: number) => z.string().max(max)
const limit = z.number().nonnegative().nullish()

/** An Inspect log without its samples: the request and the model. Other members are stored as well. */
export const inspectHeaderSchema = z.object({
  version: z.number().nullish(),
  status: z.enum(['success', 'error', 'cancelled', 'started']),
  eval: z.object({
    eval_id: text(100).nullish(),
    run_id: text(100).nullish(),
    task_id: text(100).nullish(),
    created: text(60),
    task: z.string().min(1).max(200),
    task_version: z.union([z.number(), text(100)]).nullish(),
    solver: text(200).nullish(),
    model: z.string().min(1).max(200),
    model_generate_config: z.object({ temperature: z.number().nullish() }).nullish(),
    config: z
      .object({ token_limit: limit, time_limit: limit, cost_limit: limit, epochs: limit })
      .nullish(),
    dataset: z.object({ sample_ids: z.array(z.unknown()).nullish() }).nullish(),
    sandbox: z.union([z.object({ type: text(100) }), z.tuple([text(100)], z.unknown())]).nullish(),
    revision: z.object({ commit: text(100), dirty: z.boolean().nullish() }).nullish(),
    packages: z.record(z.string(), z.string()).nullish(),
  }),
  plan: z
    .object({
      steps: z.array(z.object({ solver: text(200) })).nullish(),
      config: z.object({ temperature: z.number().nullish() }).nullish(),
    })
    .nullish(),
  results: z.object({ total_samples: limit }).nullish(),
  stats: z.object({ started_at: text(60).nullish(), completed_at: text(60).nullish() }).nullish(),
})
export type InspectHeader = z.infer<typeof inspectHeaderSchema>

/** Parts of the import that depend on the samples; `evidenceOf` takes the index of a sample. */
export type InspectParts = {
  attempts: readonly Omit<ReportedAttempt, 'recordDigest' | 'evidence'>[]
  recordDigest: Digest
  evidenceOf: (place: number) => readonly EvidenceFile[]
}

const UNREPORTED = [
  'agent version',
  'environment',
  'who counted tokens',
  'how the score was made',
  'what the agent changed',
]

/**
 * Converts an Inspect log to a run; null = the log has no time. If the run's times are missing, the time of its
 * creation is used.
 */
export function fromInspect(header: InspectHeader, parts: InspectParts): ReportedRun | null {
  const spec = header.eval
  const times = readRunTimes(header)
  if (!times) return null
  const { hasZone, ...ends } = times
  const version = spec.task_version ?? null
  return {
    format: 'inspect',
    formatVersion: String(header.version ?? '') || null,
    harness: readHarness(header),
    url: null,
    untold: [
      ...UNREPORTED,
      ...(hasZone ? [] : [UNKNOWN_ZONE]),
      ...describeMissing(countPlanned(header), parts.attempts.length, 'samples'),
    ],
    identity: [
      ...[spec.eval_id ?? null, spec.run_id ?? null, spec.task_id ?? null],
      ...[spec.created, spec.task, spec.model],
    ],
    dataset: { name: spec.task, version: version === null ? null : String(version) },
    subject: {
      name: nameSolver(header),
      version: null,
      provider: /^([^/]{1,100})\//.exec(spec.model)?.[1] ?? null,
      model: spec.model,
    },
    settings: readSettings(header),
    ...ends,
    attempts: parts.attempts.map((attempt, place) => ({
      ...attempt,
      recordDigest: parts.recordDigest,
      evidence: parts.evidenceOf(place),
    })),
  }
}

/** Number of samples in all epochs; null = not stated. A stopped run has no results. */
function countPlanned({ eval: { config, dataset }, results }: InspectHeader): number | null {
  if (results?.total_samples != null) return results.total_samples
  const ids = dataset?.sample_ids?.length ?? null
  return ids === null ? null : ids * (config?.epochs ?? 1)
}

function readRunTimes({ eval: { created }, stats }: InspectHeader) {
  const made = readTime(created)
  const startedAt = readTime(stats?.started_at)?.at ?? made?.at
  if (!startedAt) return null
  const ended = readTime(stats?.completed_at)?.at
  return {
    startedAt,
    endedAt: ended && ended >= startedAt ? ended : startedAt,
    hasZone: made?.hasZone ?? true,
  }
}

function readHarness({ eval: { packages, revision } }: InspectHeader): ReportedRun['harness'] {
  return {
    name: 'inspect_ai',
    version: packages?.inspect_ai?.slice(0, 100) ?? null,
    commit: revision?.commit ?? null,
    dirty: revision?.dirty ?? null,
  }
}

/** Inspect measures a model behind a solver: the solver is the agent. */
function nameSolver({ eval: { solver }, plan }: InspectHeader): string {
  const steps = (plan?.steps ?? []).map((step) => step.solver)
  return solver || steps.join('-') || 'unnamed-solver'
}

function readSettings({ eval: spec, plan }: InspectHeader): Partial<RowSettings> {
  const { token_limit: tokens, time_limit: seconds, cost_limit: usd } = spec.config ?? {}
  const sandbox = Array.isArray(spec.sandbox) ? spec.sandbox[0] : spec.sandbox?.type
  return {
    temperature: spec.model_generate_config?.temperature ?? plan?.config?.temperature ?? null,
    timeoutMs: seconds == null ? null : 1000 * seconds,
    maxTokens: tokens && Number.isInteger(tokens) ? tokens : null,
    maxCostMicroUsd: usd ? Math.round(1e6 * usd) || null : null,
    isolation: sandbox === 'docker' ? 'docker' : null,
  }
}

/** Digest of a task: the same input and target give the same task in two logs. */
export function digestSample(sample: {
  input: unknown
  target: unknown
  choices?: unknown
}): string {
  const { input, target, choices = null } = sample
  return digestJson({
    input: Array.isArray(input) ? input.map(bareMessage) : input,
    target,
    choices,
  })
}

/** Drops the random id of a message. */
function bareMessage(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return message
  const { role, content } = message as { role?: unknown; content?: unknown }
  return { role, content }
}
