import { z } from 'zod'
import { countEach, type Outcome } from '../record/index.ts'
import { type ParseResult, refuseInput } from '../text/index.ts'
import { fromInspectUsage, inspectUsageSchema } from './inspect-usage.ts'
import { digestSample } from './parse-inspect.ts'
import type { ReportedAttempt } from './reported-run.ts'
import { judgeScore, readScore, readTimes } from './reported-run.ts'

const messageSchema = z.object({
  role: z.string().nullish(),
  tool_calls: z.array(z.object({ function: z.string().max(200) })).nullish(),
})

export const inspectSampleSchema = z.object({
  id: z.union([z.string().min(1).max(1000), z.number().int()]),
  epoch: z.number().int().min(1).max(100_000),
  input: z.unknown(),
  target: z.unknown(),
  choices: z.unknown().optional(),
  messages: z.array(messageSchema).nullish(),
  output: z.object({ model: z.string().max(200).nullish() }).nullish(),
  scores: z.record(z.string(), z.object({ value: z.unknown() })).nullish(),
  model_usage: z.record(z.string(), inspectUsageSchema).nullish(),
  started_at: z.string().max(60).nullish(),
  completed_at: z.string().max(60).nullish(),
  total_time: z.number().nonnegative().nullish(),
  error: z.object({ message: z.string() }).nullish(),
  error_retries: z.array(z.unknown()).nullish(),
  limit: z.object({ type: z.string().min(1).max(100) }).nullish(),
  invalidation: z.unknown().optional(),
})
type Sample = z.infer<typeof inspectSampleSchema>

type Attempt = Omit<ReportedAttempt, 'recordDigest' | 'evidence'>

/** A parsed sample: facts about the attempt, and what decides its outcome. */
export type InspectSample = {
  attempt: Omit<Attempt, keyof Verdict>
  judged: Pick<Sample, 'scores' | 'error' | 'limit' | 'invalidation'>
}

/** Reads a sample of an Inspect log; only the needed members are kept. */
export function openInspectSample(sample: Sample, model: string): InspectSample {
  const { id, epoch, messages, output, total_time: seconds } = sample
  const { scores, error, limit, invalidation } = sample
  const answered = messages?.filter(({ role }) => role === 'assistant') ?? []
  const isLogged = (messages?.length ?? 0) > 0
  const usage = sample.model_usage?.[model]
  return {
    judged: { scores, error, limit, invalidation },
    attempt: {
      task: { name: String(id), checksum: digestSample(sample), category: null },
      repetition: epoch,
      agentSuccess: null,
      overallSuccess: null,
      times: readTimes(sample.started_at, sample.completed_at),
      wall: { totalMs: seconds == null ? null : 1000 * seconds },
      steps: isLogged ? answered.length : null,
      toolCalls: isLogged ? countTools(answered) : null,
      retries: sample.error_retries?.length ?? null,
      // Only the measured model's usage; that of a grading model is not counted.
      usage: usage ? fromInspectUsage(usage) : null,
      modelObserved: output?.model && output.model !== 'none' ? [output.model] : [],
      exitCode: null,
      recordName: `${id}, epoch ${epoch}`,
    },
  }
}

/** Name of the score that decides every sample of a log: the only one, or the requested one. Null = none. */
export function chooseScorer(
  samples: readonly InspectSample[],
  named: string | null,
): ParseResult<string | null> {
  const names = new Set(samples.flatMap(({ judged }) => Object.keys(judged.scores ?? {})))
  if (named !== null && names.has(named)) return { ok: true, value: named }
  const [only = null] = names
  if (names.size <= 1) return { ok: true, value: only }
  const shown = [...names].slice(0, 5).join(', ')
  return refuseInput(
    `there are several scores (${shown}): say which one decides with scorer`,
    'samples',
  )
}

/** Judges the attempt by the score of that name. */
export function judgeInspectSample(
  { attempt, judged }: InspectSample,
  scorer: string | null,
): ParseResult<Attempt> {
  const verdict = judge(judged, scorer)
  return verdict.ok ? { ok: true, value: { ...attempt, ...verdict.value } } : verdict
}

function countTools(messages: readonly z.infer<typeof messageSchema>[]): Record<string, number> {
  const calls = messages.flatMap(({ tool_calls: own }) => own ?? [])
  return Object.fromEntries(countEach(calls.map(({ function: name }) => name)))
}

type Verdict = Pick<Attempt, 'outcome' | 'failureCategory' | 'testSuccess' | 'score'>

function judge(
  { scores, error, limit, invalidation }: InspectSample['judged'],
  scorer: string | null,
): ParseResult<Verdict> {
  if (invalidation != null) return voided('The sample was invalidated in its log.')
  const value = scorer === null ? null : scores?.[scorer]?.value
  if (value == null) return unscored(error, limit)
  const score = readScore(value)
  if (score === null) {
    const shown = JSON.stringify(value)?.slice(0, 60)
    return refuseInput(
      `${shown} is not a score from 0 to 1, nor C, P, I or N`,
      `scores.${scorer}.value`,
    )
  }
  const verdict = limit && score < 1 ? spent(limit.type, score) : judgeScore(score)
  return { ok: true, value: error ? withReason(verdict, describeError(error)) : verdict }
}

/** Inspect's own metrics include samples that were scored despite an error. */
function withReason(verdict: Verdict, reason: string): Verdict {
  return verdict.outcome.status === 'unsolved'
    ? { ...verdict, outcome: { status: 'unsolved', reason } }
    : verdict
}

function describeError({ message }: NonNullable<Sample['error']>): string {
  return message.split('\n')[0]?.slice(0, 500) || 'The sample ended in an error.'
}

/** Judges a sample without a score; a scorer that cannot decide writes NaN, null here. */
function unscored(error: Sample['error'], limit: Sample['limit']): ParseResult<Verdict> {
  if (error) return voided(describeError(error))
  return limit
    ? { ok: true, value: spent(limit.type, null) }
    : voided('The log has no score of it.')
}

/** Limits that are budgets; other limits, including future ones, may also stop a sample. */
const BUDGETS: ReadonlyMap<string, 'time' | 'steps' | 'tokens' | 'cost'> = new Map([
  ...['time', 'working'].map((type) => [type, 'time'] as const),
  ...['message', 'turn'].map((type) => [type, 'steps'] as const),
  ...['token', 'context'].map((type) => [type, 'tokens'] as const),
  ['cost', 'cost'],
])

/** A sample that hit a limit failed by it, unless it had already solved the task. */
function spent(type: string, score: number | null): Verdict {
  const reason = `Inspect stopped it at its ${type} limit.`
  const rest = { testSuccess: score === null ? null : false, score }
  const budget = BUDGETS.get(type)
  if (budget === undefined) {
    const outcome: Outcome =
      score === null ? { status: 'cancelled', reason } : { status: 'unsolved', reason }
    return { outcome, failureCategory: score === null ? 'cancelled' : null, ...rest }
  }
  const outcome: Outcome = { status: 'out-of-budget', budget, reason }
  return { outcome, failureCategory: budget === 'time' ? 'timeout' : 'budget', ...rest }
}

function voided(reason: string): ParseResult<Verdict> {
  const outcome: Outcome = { status: 'void', fault: 'harness', reason }
  return {
    ok: true,
    value: { outcome, failureCategory: 'harness', testSuccess: null, score: null },
  }
}
