import type { Digest } from '../digest/index.ts'
import type {
  EvidenceFile,
  FailureCategory,
  Outcome,
  ReportedBody,
  Source,
} from '../record/index.ts'
import type { RowSettings } from '../settings/index.ts'

/** One attempt in another program's record. Null = not stated. */
export type ReportedAttempt = {
  /** The task's name in the record; `checksum` is the program's own, of the task's bytes. */
  task: { name: string; checksum: string | null; category: string | null }
  repetition: number
  outcome: Outcome
  failureCategory: FailureCategory | null
  agentSuccess: boolean | null
  testSuccess: boolean | null
  overallSuccess: boolean | null
  /** Null = only the run's times are reported. */
  times: { startedAt: string; endedAt: string } | null
  wall: Partial<ReportedBody['effort']['wall']>
  steps: number | null
  toolCalls: Record<string, number> | null
  /** Number of retries by the program itself. */
  retries: number | null
  usage: ReportedBody['usage']
  modelObserved: readonly string[]
  exitCode: number | null
  recordName: string
  recordDigest: Digest
  score: number | null
  evidence: readonly EvidenceFile[]
}

/** A run in another program's record. */
export type ReportedRun = Pick<
  Source,
  'format' | 'formatVersion' | 'harness' | 'url' | 'untold'
> & {
  /** Values that identify the run in its format: equal values mean the same run. */
  identity: readonly (string | null)[]
  dataset: { name: string; version: string | null }
  subject: {
    name: string
    version: string | null
    provider: string | null
    model: string | null
  }
  settings: Partial<RowSettings>
  startedAt: string
  endedAt: string
  attempts: readonly ReportedAttempt[]
}

/** Letters and words that stand for scores in an Inspect log. */
const WORDS: Readonly<Record<string, number>> = {
  C: 1,
  P: 0.5,
  I: 0,
  N: 0,
  yes: 1,
  no: 0,
  true: 1,
  false: 0,
}

/** Converts a score to a number from 0 to 1; null = not a score, or on an unknown scale. */
export function readScore(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  const number =
    typeof value === 'string' ? (WORDS[value] ?? WORDS[value.toLowerCase()] ?? parse(value)) : value
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : null
}

function parse(text: string): number | null {
  return /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null
}

/** Only the full score counts as solved; a partial score is reported unchanged. */
export function judgeScore(
  score: number,
): Pick<ReportedAttempt, 'outcome' | 'failureCategory' | 'testSuccess' | 'score'> {
  if (score === 1)
    return { outcome: { status: 'solved' }, failureCategory: null, testSuccess: true, score }
  const reason = `The score is ${score} of 1.`
  const outcome = { status: 'unsolved' as const, reason }
  return { outcome, failureCategory: score > 0 ? 'partial' : null, testSuccess: false, score }
}

const NO_ZONE = 'the time zone of its time'
/** Note on a record whose times have no zone: they are read as UTC, and may be hours ahead of it. */
export const UNKNOWN_ZONE = `${NO_ZONE}s`

export function lacksZone(untold: readonly string[]): boolean {
  return untold.some((one) => one.startsWith(NO_ZONE))
}

/** Describes attempts of the plan that a record lacks, as an item of `untold`; empty = none. */
export function describeMissing(planned: number | null, found: number, what: string): string[] {
  return planned === null || planned <= found
    ? []
    : [`${planned - found} of its ${planned} ${what}`]
}

/** The last instant whose ISO text has a four-digit year. */
export const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const TIME = /^((\d{4})-(\d\d)-(\d\d))[T ](\d\d:\d\d:\d\d(?:[.,]\d+)?)\s*(Z|[+-]\d\d:?\d\d)?$/

/** Parses an ISO instant of another program; one without a zone is read as UTC. Null = invalid. */
export function readTime(text: string | null | undefined): { at: string; hasZone: boolean } | null {
  const [, date, year, month, day, time, zone] = TIME.exec(text?.trim() ?? '') ?? []
  if (!date || !time || Number(day) > daysOf(Number(year), Number(month))) return null
  const ms = Date.parse(`${date}T${time.replace(',', '.')}${zone ?? 'Z'}`)
  if (Number.isNaN(ms) || ms < 0 || ms > LATEST_MS) return null
  return { at: new Date(ms).toISOString(), hasZone: zone !== undefined }
}

/** Date.parse accepts 31 February as a day in March. */
function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Returns start and end, if both are reported and in order. */
export function readTimes(
  started: string | null | undefined,
  ended: string | null | undefined,
): { startedAt: string; endedAt: string } | null {
  const [startedAt, endedAt] = [readTime(started)?.at, readTime(ended)?.at]
  return startedAt && endedAt && endedAt >= startedAt ? { startedAt, endedAt } : null
}
