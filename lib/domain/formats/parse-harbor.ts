import type { ReportedBody } from '../record/index.ts'
import { type ParseResult, refuseInput } from '../text/index.ts'
import type { HarborTrial, Trial } from './harbor-trial.ts'
import { type HarborVerdict, judgeTrial } from './judge-trial.ts'
import { type Atif, countSteps, countTools } from './read-atif.ts'
import type { ReportedAttempt, ReportedRun } from './reported-run.ts'
import { describeMissing, readTime, readTimes, UNKNOWN_ZONE } from './reported-run.ts'

export type HarborJob = {
  id: string | null
  versions: ReadonlyMap<string, string>
  /** Planned and imported trials of all agents in the job. */
  planned: number | null
  found: number
}

const UNREPORTED = [
  'settings and budgets',
  'environment',
  'model that answered',
  'who counted tokens',
  'each test of the verifier',
]

/** Converts trials of one agent with one model on one data set to a run. */
export function fromHarbor(
  job: HarborJob,
  trials: readonly HarborTrial[],
  scorer: string | null,
): ParseResult<ReportedRun> {
  const [first] = trials
  const times = trials.flatMap(({ trial }) => readTimes(trial.started_at, trial.finished_at) ?? [])
  if (!first || times.length === 0) return refuseInput('none of its trials says when it ran')
  const attempts = listAttempts(trials, scorer)
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
      untold: [
        ...UNREPORTED,
        ...(hasZone ? [] : [UNKNOWN_ZONE]),
        ...describeMissing(job.planned, job.found, 'trials'),
      ],
      identity: [job.id ?? nameTrials(trials), ...nameGroup(first.trial)],
      dataset: { name, version: job.versions.get(name) ?? null },
      subject: readSubject(first.trial),
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

function readSubject(trial: Trial) {
  const { name, version } = trial.agent_info
  const { provider, model } = readModel(trial)
  return { name, version: version && version !== 'unknown' ? version : null, provider, model }
}

/** Harbor describes a model only if its name starts with a provider; the requested name is always present. */
function readModel({ agent_info: { model_info: info }, config }: Trial) {
  return {
    provider: info?.provider ?? null,
    model: info?.name ?? config?.agent?.model_name ?? null,
  }
}

/** Trials of one task are its repetitions, in start order. */
function listAttempts(
  trials: readonly HarborTrial[],
  scorer: string | null,
): ParseResult<ReportedAttempt[]> {
  const attempts: ReportedAttempt[] = []
  const seen = new Map<string, number>()
  for (const one of [...trials].sort(byStart)) {
    const repetition = (seen.get(one.trial.task_name) ?? 0) + 1
    seen.set(one.trial.task_name, repetition)
    const attempt = toAttempt(one, repetition, scorer)
    if (!attempt.ok) return attempt
    attempts.push(attempt.value)
  }
  return { ok: true, value: attempts }
}

/** Key that separates the trials of one run from others in the same job. */
export function nameGroup(trial: Trial): (string | null)[] {
  const { name, version = null } = trial.agent_info
  const { provider, model } = readModel(trial)
  return [name, version, provider, model, trial.source ?? null]
}

/** Orders trials by their start. */
export function byStart({ trial: a }: HarborTrial, { trial: b }: HarborTrial): number {
  const key = (trial: Trial) => `${readTime(trial.started_at)?.at ?? ''} ${trial.trial_name}`
  return key(a) < key(b) ? -1 : 1
}

function toAttempt(
  one: HarborTrial,
  repetition: number,
  scorer: string | null,
): ParseResult<ReportedAttempt> {
  const judged = judgeTrial(one, scorer)
  return judged.ok ? { ok: true, value: readHarborAttempt(one, repetition, judged.value) } : judged
}

/** Converts a trial that was judged. */
export function readHarborAttempt(
  { trial, trajectory, recordDigest, evidence }: HarborTrial,
  repetition: number,
  judged: HarborVerdict,
): ReportedAttempt {
  return {
    ...judged,
    task: { name: trial.task_name, checksum: trial.task_checksum ?? null, category: null },
    repetition,
    agentSuccess: null,
    overallSuccess: null,
    times: readTimes(trial.started_at, trial.finished_at),
    wall: readWall(trial),
    steps: countSteps(trajectory),
    toolCalls: countTools(trajectory),
    retries: null,
    usage: readUsage(trial, trajectory),
    modelObserved: [],
    exitCode: null,
    recordName: trial.trial_name,
    recordDigest,
    evidence,
  }
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

function elapsed(part: Trial['verifier']): number | null {
  const times = readTimes(part?.started_at, part?.finished_at)
  return times && Date.parse(times.endedAt) - Date.parse(times.startedAt)
}
