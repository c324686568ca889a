import {
  type AnyEpisode,
  isMeasured,
  isScored,
  outcomeReason,
  type Subject,
} from '../record/index.ts'
import type { RowSettings } from '../settings/index.ts'
import {
  type Exported,
  type ExportedSlot,
  exportedHarnessVersion,
  gradingTexts,
  type Pieces,
  readSlots,
} from './exported.ts'
import { textOfMessage, writeMessages } from './inspect-messages.ts'
import { type InspectUsage, toInspectUsage } from './inspect-usage.ts'

/** Version of Inspect's log format (`EvalLog`). */
const EVAL_LOG_VERSION = 2
const SCORER = 'proofboard'

type ModelUsage = Record<string, number>

/**
 * Writes a run or row as an Inspect log in JSON: a task of a repetition is a sample of an epoch, with every turn and
 * tool call of its last attempt if a transcript is available. Members are in the order that Inspect's readers expect,
 * so samples are read twice and never held in memory. Unknown values are left out.
 */
export async function* writeInspect(exported: Exported): Pieces {
  const usage = await sumUsage(exported)
  const { startedAt, endedAt } = exported
  const head = {
    version: EVAL_LOG_VERSION,
    status: exported.endings.cancelled > 0 ? 'cancelled' : 'success',
    eval: describeEval(exported),
    plan: { name: 'plan', steps: [{ solver: exported.subject.name, params: {} }], config: {} },
    results: describeResults(exported),
    stats: { started_at: startedAt ?? '', completed_at: endedAt ?? '', model_usage: usage },
    invalidated: false,
  }
  yield `${JSON.stringify(head).slice(0, -1)},"samples":[`
  const epochs = new Map<string, number>()
  let separator = '\n'
  for await (const slot of readSlots(exported)) {
    const { taskId, repetition } = slot.last
    const before = epochs.get(taskId) ?? 0
    // Runs of one row may number repetitions alike; each needs an epoch of its own.
    const epoch = exported.runs.length === 1 ? repetition : before + 1
    epochs.set(taskId, before + 1)
    yield `${separator}${JSON.stringify(await writeSample(slot, epoch))}`
    separator = ',\n'
  }
  yield '\n]}\n'
}

/** Inspect requires a model with a provider, also for subjects without one. */
function modelName({ provider, modelRequested }: Subject): string {
  if (modelRequested === null) return 'none/none'
  return modelRequested.includes('/')
    ? modelRequested
    : `${provider ?? 'unknown'}/${modelRequested}`
}

function describeEval(exported: Exported) {
  const { suiteId, suiteDigest, subject, runs, startedAt } = exported
  const [first] = runs
  const tasks = first?.plan.tasks.map(({ taskId }) => taskId) ?? []
  const version = exportedHarnessVersion(exported)
  return {
    run_id: runs.map(({ runId }) => runId).join(' '),
    created: startedAt ?? first?.plan.frozenAt ?? '',
    task: suiteId,
    task_id: first?.plan.planDigest ?? '',
    task_version: suiteDigest,
    solver: subject.name,
    dataset: { name: suiteId, samples: tasks.length, sample_ids: tasks, shuffled: false },
    model: modelName(subject),
    config: first ? describeConfig(first.plan.settings, first.plan.repetitions) : {},
    packages: version === null ? {} : { proofboard: version },
    metadata: {
      subject_kind: subject.kind,
      subject_version: subject.version ?? 'unknown',
      plans: [...new Set(runs.map(({ plan }) => plan.planDigest))],
    },
  }
}

function describeConfig(
  { maxSteps, maxTokens, maxCostMicroUsd, timeoutMs }: RowSettings,
  repetitions: number,
) {
  return {
    epochs: repetitions,
    ...known('message_limit', maxSteps ?? null),
    ...known('token_limit', maxTokens ?? null),
    ...known('time_limit', secondsOf(timeoutMs ?? null)),
    ...known('cost_limit', usdOf(maxCostMicroUsd ?? null)),
  }
}

function describeResults({ endings, rate }: Exported) {
  const all = Object.values(endings).reduce((sum, count) => sum + count, 0)
  const scored = all - endings.void - endings.cancelled
  const { rate: value, low, high, method } = rate
  const accuracy = { name: 'accuracy', value, params: {}, metadata: { low, high, method } }
  return {
    total_samples: all,
    completed_samples: scored,
    scores: [
      {
        name: SCORER,
        scorer: SCORER,
        reducer: 'mean',
        scored_samples: scored,
        unscored_samples: all - scored,
        params: {},
        metrics: value === null ? {} : { accuracy },
      },
    ],
  }
}

/** Sums the run's usage if every sample states its own: a partial sum would be read as the total. */
async function sumUsage(exported: Exported): Promise<Record<string, ModelUsage>> {
  const sums: ModelUsage = {}
  const stated = new Map<string, number>()
  let samples = 0
  for await (const { last } of readSlots(exported)) {
    samples++
    for (const [name, value] of Object.entries(usageOf(last)[modelName(last.subject)] ?? {})) {
      sums[name] = (sums[name] ?? 0) + (value ?? 0)
      stated.set(name, (stated.get(name) ?? 0) + 1)
    }
  }
  const whole = Object.entries(sums).filter(([name]) => stated.get(name) === samples)
  return whole.length > 0 ? { [modelName(exported.subject)]: Object.fromEntries(whole) } : {}
}

function usageOf({ usage, subject }: AnyEpisode): Record<string, InspectUsage> {
  const written = usage && toInspectUsage(usage)
  return written ? { [modelName(subject)]: written } : {}
}

async function writeSample(
  { last, earlier, evaluatedHere, transcript: readTranscript }: ExportedSlot,
  epoch: number,
) {
  const transcript = (await readTranscript?.()) ?? null
  const messages = writeMessages(transcript?.steps ?? [])
  const prompt = messages.find(({ role }) => role === 'user')
  const answer = messages.findLast(({ role }) => role === 'assistant')
  const { taskId, startedAt, endedAt, outcome, effort } = last
  const model = last.subject.modelObserved[0] ?? modelName(last.subject)
  return {
    id: taskId,
    epoch,
    input: prompt ? textOfMessage(prompt) : taskId,
    target: '',
    messages,
    output: {
      model,
      choices: answer ? [{ message: answer, stop_reason: 'unknown' }] : [],
      completion: answer ? textOfMessage(answer) : '',
    },
    scores: isScored(outcome.status) ? { [SCORER]: scoreOf(last, evaluatedHere) } : null,
    metadata: {
      episode_id: last.episodeId,
      run_id: last.runId,
      repetition: last.repetition,
      outcome: outcome.status,
      seal: last.seal,
      mode: last.mode,
    },
    model_usage: usageOf(last),
    started_at: startedAt,
    completed_at: endedAt,
    ...known('total_time', secondsOf(effort.wall.totalMs)),
    ...known('working_time', secondsOf(effort.wall.subjectMs)),
    uuid: last.episodeId,
    ...(outcome.status === 'void' ? { error: errorOf(last) } : {}),
    ...(earlier.length > 0 ? { error_retries: earlier.map(errorOf) } : {}),
    ...limitOf(last),
  }
}

function scoreOf(episode: AnyEpisode, evaluatedHere: ExportedSlot['evaluatedHere']) {
  const { outcome } = episode
  const grading = gradingTexts(episode)
  return {
    value: outcome.status === 'solved' ? 'C' : 'I',
    ...(outcome.status === 'solved' ? {} : { explanation: outcomeReason(outcome) }),
    metadata: {
      ...(grading && { visible_tests: grading.visibleTests, held_out: grading.heldOut }),
      ...(evaluatedHere && { evaluated_here: evaluatedHere }),
      ...(episode.failureCategory && { failure_category: episode.failureCategory }),
    },
  }
}

function errorOf({ outcome }: AnyEpisode) {
  return { message: outcomeReason(outcome), traceback: '', traceback_ansi: '' }
}

/** Inspect's names of the budgets that end a sample. */
const LIMITS = { time: 'time', steps: 'message', tokens: 'token', cost: 'cost' } as const

function limitOf(episode: AnyEpisode): { limit?: { type: string; limit: number } } {
  const { outcome } = episode
  if (outcome.status === 'cancelled') return { limit: { type: 'operator', limit: 1 } }
  if (outcome.status !== 'out-of-budget') return {}
  const { maxSteps, maxTokens, maxCostMicroUsd, timeoutMs } = isMeasured(episode)
    ? episode.subject.settings
    : ({} as Partial<RowSettings>)
  const limits: Record<string, number | null | undefined> = {
    time: secondsOf(timeoutMs ?? null),
    steps: maxSteps,
    tokens: maxTokens,
    cost: usdOf(maxCostMicroUsd ?? null),
  }
  const type = Object.entries(LIMITS).find(([budget]) => budget === outcome.budget)?.[1] ?? 'custom'
  return { limit: { type, limit: limits[outcome.budget] ?? 0 } }
}

function known(name: string, value: number | null): Record<string, number> {
  return value === null ? {} : { [name]: value }
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1000
}

function usdOf(microUsd: number | null): number | null {
  return microUsd === null ? null : microUsd / 1e6
}
