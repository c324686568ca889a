import { z } from 'zod'
import type { Digest, EvidenceFile, ParseResult, ReportedBody } from '../record/index.ts'
import type { ReportedAttempt, ReportedRun } from './reported-run.ts'
import { judgeScore, readTime, readTimes } from './reported-run.ts'

const text = (most: number) => z.string().max(most)
const time = text(60).nullish()
const count = z.number().int().nonnegative().nullish()
const timing = z.object({ started_at: time, finished_at: time }).nullish()

/** `result.json` of a trial of Harbor. */
export const harborTrialSchema = z.object({
  id: text(100).nullish(),
  task_name: z.string().min(1).max(1000),
  trial_name: z.string().min(1).max(1000),
  source: text(200).nullish(),
  task_checksum: text(200).nullish(),
  agent_info: z.object({
    name: z.string().min(1).max(200),
    version: text(100).nullish(),
    model_info: z.object({ name: text(200), provider: text(100).nullish() }).nullish(),
  }),
  agent_result: z
    .object({
      n_input_tokens: count,
      n_cache_tokens: count,
      n_output_tokens: count,
      cost_usd: z.number().nonnegative().nullish(),
    })
    .nullish(),
  verifier_result: z
    .object({
      rewards: z.union([z.number(), z.record(z.string(), z.number())]).nullish(),
      reward: z.number().nullish(),
    })
    .nullish(),
  exception_info: z
    .object({ exception_type: text(200), exception_message: z.string().nullish() })
    .nullish(),
  ...{ started_at: time, finished_at: time },
  ...{ environment_setup: timing, agent_setup: timing, agent_execution: timing, verifier: timing },
})
type Trial = z.infer<typeof harborTrialSchema>

/** A trajectory in ATIF, as far as it counts something. */
export const atifSchema = z.object({
  steps: z
    .array(
      z.object({
        source: z.string().nullish(),
        tool_calls: z.array(z.object({ function_name: z.string().max(200) })).nullish(),
      }),
    )
    .nullish(),
  final_metrics: z
    .object({
      total_prompt_tokens: count,
      total_completion_tokens: count,
      total_cached_tokens: count,
      total_cost_usd: z.number().nonnegative().nullish(),
      total_steps: count,
    })
    .nullish(),
})
export type Atif = z.infer<typeof atifSchema>

/** Everything of one trial that was there; null = it was not. */
export type HarborTrial = {
  trial: Trial
  /** `verifier/reward.txt`. */
  reward: number | null
  trajectory: Atif | null
  recordDigest: Digest
  evidence: readonly EvidenceFile[]
}

export type HarborJob = { id: string | null; versions: ReadonlyMap<string, string> }

const UNREPORTED = [
  'settings and budgets',
  'environment',
  'model that answered',
  'who counted tokens',
  'each test of the verifier',
]

/** Trials of one agent with one model on one data set, as a run. */
export function fromHarbor(
  job: HarborJob,
  trials: readonly HarborTrial[],
): ParseResult<ReportedRun> {
  const [first] = trials
  const times = trials.flatMap(({ trial }) => readTimes(trial.started_at, trial.finished_at) ?? [])
  if (!first || times.length === 0) return refuse('none of its trials says when it ran')
  const attempts = listAttempts(trials)
  if (!attempts.ok) return attempts
  const hasZone = trials.every(({ trial }) => readTime(trial.started_at)?.hasZone !== false)
  const name = first.trial.source ?? 'harbor tasks'
  return {
    ok: true,
    value: {
      format: 'harbor',
      formatVersion: null,
      harness: { name: 'harbor', version: null, commit: null, dirty: null },
      url: null,
      untold: hasZone ? UNREPORTED : [...UNREPORTED, 'the time zone of its times'],
      identity: [job.id ?? nameTrials(trials), ...nameGroup(first.trial)],
      dataset: { name, version: job.versions.get(name) ?? null },
      subject: readSubject(first.trial.agent_info),
      settings: {},
      startedAt: times.map(({ startedAt }) => startedAt).sort()[0] ?? '',
      endedAt:
        times
          .map(({ endedAt }) => endedAt)
          .sort()
          .at(-1) ?? '',
      attempts: attempts.value,
    },
  }
}

function nameTrials(trials: readonly HarborTrial[]): string {
  return trials
    .map(({ trial }) => trial.id ?? trial.trial_name)
    .sort()
    .join()
}

function readSubject({ name, version, model_info: model }: Trial['agent_info']) {
  return {
    name,
    version: version && version !== 'unknown' ? version : null,
    provider: model?.provider ?? null,
    model: model?.name ?? null,
  }
}

/** Trials of one task are its repetitions, in the order in which they started. */
function listAttempts(trials: readonly HarborTrial[]): ParseResult<ReportedAttempt[]> {
  const attempts: ReportedAttempt[] = []
  const seen = new Map<string, number>()
  for (const one of [...trials].sort(byStart)) {
    const repetition = (seen.get(one.trial.task_name) ?? 0) + 1
    seen.set(one.trial.task_name, repetition)
    const attempt = toAttempt(one, repetition)
    if (!attempt.ok) return attempt
    attempts.push(attempt.value)
  }
  return { ok: true, value: attempts }
}

/** What tells the trials of one run from those of another in the same job. */
export function nameGroup({ agent_info: agent, source }: Trial): (string | null)[] {
  const { name, version = null, model_info: model } = agent
  return [name, version, model?.provider ?? null, model?.name ?? null, source ?? null]
}

function byStart({ trial: a }: HarborTrial, { trial: b }: HarborTrial): number {
  const key = (trial: Trial) => `${readTime(trial.started_at)?.at ?? ''} ${trial.trial_name}`
  return key(a) < key(b) ? -1 : 1
}

function toAttempt(one: HarborTrial, repetition: number): ParseResult<ReportedAttempt> {
  const { trial, trajectory, recordDigest, evidence } = one
  const judged = judge(one)
  if (!judged.ok) return judged
  return {
    ok: true,
    value: {
      ...judged.value,
      task: { name: trial.task_name, checksum: trial.task_checksum ?? null, category: null },
      repetition,
      agentSuccess: null,
      overallSuccess: null,
      times: readTimes(trial.started_at, trial.finished_at),
      wall: readWall(trial),
      steps: trajectory?.final_metrics?.total_steps ?? countSteps(trajectory),
      toolCalls: countTools(trajectory),
      retries: null,
      usage: readUsage(trial, trajectory),
      modelObserved: [],
      exitCode: null,
      recordName: trial.trial_name,
      ...{ recordDigest, evidence },
    },
  }
}

type Verdict = Pick<ReportedAttempt, 'outcome' | 'failureCategory' | 'testSuccess' | 'score'>

/** The verifier's reward decides; where there is none, what stopped the trial does. */
function judge({ trial, reward: stored }: HarborTrial): ParseResult<Verdict> {
  const said = readReward(trial) ?? stored
  if (said !== null && typeof said === 'object')
    return refuse(
      `${trial.trial_name}: its verifier gives several rewards and none is called reward`,
    )
  if (said !== null && (said < 0 || said > 1))
    return refuse(
      `${trial.trial_name}: its reward ${said} is not between 0 and 1, so the outcome is unknown`,
    )
  const stopped = trial.exception_info
  if (said === 1 || (said !== null && !stopped)) return { ok: true, value: judgeScore(said) }
  return { ok: true, value: { ...judgeException(stopped, said), score: said } }
}

function judgeException(
  stopped: Trial['exception_info'],
  reward: number | null,
): Omit<Verdict, 'score'> {
  const type = stopped?.exception_type ?? 'nothing'
  const message =
    stopped?.exception_message?.split('\n')[0] ?? 'It has neither a reward nor an exception.'
  const reason = `${type}: ${message}`.slice(0, 500)
  const testSuccess = reward === null ? null : false
  if (type === 'AgentTimeoutError')
    return {
      outcome: { status: 'out-of-budget', budget: 'time', reason },
      failureCategory: 'timeout',
      testSuccess,
    }
  if (type === 'NonZeroAgentExitCodeError')
    return {
      outcome: { status: 'subject-crashed', exitCode: null, signal: null, reason },
      failureCategory: 'crash',
      testSuccess,
    }
  if (reward !== null)
    return { outcome: { status: 'unsolved', reason }, failureCategory: null, testSuccess }
  return {
    outcome: { status: 'void', fault: 'harness', reason },
    failureCategory: 'harness',
    testSuccess,
  }
}

/** `reward` of several, or the only one; an object = it is unclear which one decides. */
function readReward({ verifier_result: result }: Trial): number | Record<string, number> | null {
  const rewards = result?.rewards ?? result?.reward ?? null
  if (rewards === null || typeof rewards === 'number') return rewards
  const values = Object.values(rewards)
  return (
    rewards.reward ??
    (values.length === 1 ? (values[0] ?? null) : values.length === 0 ? null : rewards)
  )
}

function readUsage(
  { agent_result: result }: Trial,
  trajectory: Atif | null,
): ReportedBody['usage'] {
  const counted = trajectory?.final_metrics
  const input = result?.n_input_tokens ?? counted?.total_prompt_tokens ?? null
  const output = result?.n_output_tokens ?? counted?.total_completion_tokens ?? null
  const cacheRead = result?.n_cache_tokens ?? counted?.total_cached_tokens ?? null
  const cost = result?.cost_usd ?? counted?.total_cost_usd ?? null
  if ([input, output, cacheRead, cost].every((value) => value === null)) return null
  return {
    tokens: { input, output, cacheRead, cacheWrite: null, reasoning: null },
    costMicroUsd: cost === null ? null : Math.round(1e6 * cost),
    priceTable: null,
  }
}

function countSteps(trajectory: Atif | null): number | null {
  return trajectory?.steps?.filter(({ source }) => source === 'agent').length ?? null
}

function countTools(trajectory: Atif | null): Record<string, number> | null {
  if (!trajectory?.steps) return null
  const counts = new Map<string, number>()
  for (const { function_name: name } of trajectory.steps.flatMap(
    ({ tool_calls: calls }) => calls ?? [],
  ))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function readWall(trial: Trial): ReportedAttempt['wall'] {
  const setup = [elapsed(trial.environment_setup), elapsed(trial.agent_setup)]
  const prepareMs = setup.reduce((sum, ms) => (sum === null || ms === null ? null : sum + ms), 0)
  return {
    prepareMs,
    subjectMs: elapsed(trial.agent_execution),
    verifyMs: elapsed(trial.verifier),
    totalMs: elapsed(trial),
  }
}

function elapsed(part: z.infer<typeof timing>): number | null {
  const times = readTimes(part?.started_at, part?.finished_at)
  return times && Date.parse(times.endedAt) - Date.parse(times.startedAt)
}

function refuse(message: string): ParseResult<never> {
  return { ok: false, problems: [{ path: '(root)', message }] }
}
