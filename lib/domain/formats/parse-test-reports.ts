import { z } from 'zod'
import type { Digest } from '../digest/index.ts'
import type { Source } from '../record/index.ts'
import type { ParseResult } from '../text/index.ts'
import { describeMissing, LATEST_MS, readTime } from './reported-run.ts'
import { readSubmissionDetails, type SubmissionDetails } from './submission-details.ts'

/** One test of a report. `error` = no verdict; null = not stated. */
export type TestCase = {
  /** Enclosing suites, outermost first. */
  group: readonly string[]
  name: string
  status: 'passed' | 'failed' | 'skipped' | 'error'
  /** True if it passed only after a failure. */
  isFlaky: boolean
  retries: number | null
  ms: number | null
  times: { startedAt: string; endedAt: string } | null
  message: string | null
}

/** A test report, independent of its format. */
export type TestReport = Pick<Source, 'format' | 'formatVersion' | 'harness' | 'url'> & {
  details: SubmissionDetails
  startedAt: string
  endedAt: string
  /** Values that distinguish this report from others of the same subject on the same tasks. */
  identity: readonly (string | null)[]
  recordDigest: Digest
  cases: readonly TestCase[]
  /** Facts that this report lacks, besides those that no report states. */
  untold: readonly string[]
}

/** Parsed XML of a JUnit report, unchanged. */
export type JunitDocument = {
  /** Attributes of the root element. */
  root: Readonly<Record<string, string>>
  /** `timestamp` of the first suite that has one. */
  timestamp: string | null
  /** Properties of the report and of its suites; the first of each name. */
  properties: Readonly<Record<string, string>>
  cases: readonly JunitCase[]
}

export type JunitCase = {
  suites: readonly string[]
  attributes: Readonly<Record<string, string>>
  status: TestCase['status']
  /** Number of failures before it passed, and of all other tries before the last. */
  flaky: number
  reruns: number
  message: string | null
  text: string
}

const PREFIX = 'proofboard.'

/** Converts a JUnit report; `beside` = details sent with the file. */
export function fromJunit(
  document: JunitDocument,
  recordDigest: Digest,
  beside: SubmissionDetails,
): ParseResult<TestReport> {
  const timestamp = document.root.timestamp ?? document.timestamp
  const startedAt = timestamp === null || timestamp === undefined ? null : readTime(timestamp)
  if (startedAt === null) {
    const message = timestamp
      ? `its timestamp ${JSON.stringify(timestamp.slice(0, 40))} is not a time: write it as 2026-01-31T12:00:00Z`
      : 'it does not say when it ran: add timestamp="…" to <testsuite>'
    return { ok: false, problems: [{ path: 'timestamp', message }] }
  }
  const { name = null, time } = document.root
  const end = Date.parse(startedAt.at) + (readSeconds(time) ?? 0)
  const endedAt = end > LATEST_MS ? startedAt.at : instant(end)
  return {
    ok: true,
    value: {
      format: 'junit',
      formatVersion: null,
      harness: {
        name: name?.slice(0, 200) || 'JUnit report',
        version: null,
        commit: null,
        dirty: null,
      },
      url: null,
      details: readSubmissionDetails(unprefixed(document.properties), beside),
      startedAt: startedAt.at,
      endedAt,
      identity: [name, startedAt.at],
      recordDigest,
      cases: document.cases.map(toJunitCase),
      untold: [
        'when each attempt started',
        ...(startedAt.hasZone ? [] : ['the time zone of its time']),
        ...describeMissing(readCount(document.root.tests), document.cases.length, 'tests'),
      ],
    },
  }
}

function readCount(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
}

function unprefixed(properties: JunitDocument['properties']): Record<string, string> {
  const own = Object.entries(properties).filter(([name]) => name.startsWith(PREFIX))
  return Object.fromEntries(own.map(([name, value]) => [name.slice(PREFIX.length), value]))
}

function toJunitCase({
  suites,
  attributes,
  status,
  flaky,
  reruns,
  message,
  text,
}: JunitCase): TestCase {
  const { name = '', classname } = attributes
  // Most writers repeat the suite as the class: it is named once.
  const group = classname && classname !== suites.at(-1) ? [...suites, classname] : [...suites]
  const tries = flaky + reruns
  return {
    group,
    name,
    status,
    isFlaky: flaky > 0 && status === 'passed',
    retries: tries > 0 ? tries : null,
    ms: readSeconds(attributes.time),
    times: null,
    message: message || text || null,
  }
}

/** Parses JUnit's seconds, also `1,204.5`, to milliseconds. */
function readSeconds(time: string | undefined): number | null {
  if (time === undefined || !/^\d[\d,]*(\.\d+)?([eE]-?\d+)?$/.test(time.trim())) return null
  const ms = 1000 * Number(time.trim().replaceAll(',', ''))
  return Number.isFinite(ms) && ms <= Number.MAX_SAFE_INTEGER ? Math.round(1000 * ms) / 1000 : null
}

const STATUSES = ['passed', 'failed', 'skipped', 'pending', 'other'] as const
const text = z.string().max(1_000_000)
const extra = z.record(z.string(), z.unknown()).nullish()
const count = z.number().int().nonnegative()
const moment = count.max(LATEST_MS, 'it is not a time in milliseconds')

const testSchema = z.object({
  name: z.string().min(1).max(1000),
  status: z.enum(STATUSES),
  /** The runner's own status behind `other`. */
  rawStatus: z.string().max(100).nullish(),
  duration: z.number().nonnegative(),
  start: moment.nullish(),
  stop: moment.nullish(),
  /** A list of names since version 0.0.1 of the schema; a single name before. */
  suite: z.union([z.array(z.string().max(1000)).max(50), z.string().max(1000)]).nullish(),
  message: text.nullish(),
  trace: text.nullish(),
  retries: count.nullish(),
  flaky: z.boolean().nullish(),
})

/** A CTRF report (schema 0.1.0); other members are stored with the record as well. */
export const ctrfSchema = z.object({
  specVersion: z.string().max(100).nullish(),
  reportId: z.string().max(200).nullish(),
  extra,
  results: z.object({
    tool: z.object({ name: z.string().min(1).max(200), version: z.string().max(100).nullish() }),
    summary: z
      .object({ tests: count, passed: count, failed: count, start: moment.min(1), stop: moment })
      .partial({ tests: true, passed: true, failed: true })
      .refine(({ start, stop }) => stop >= start, {
        path: ['stop'],
        message: 'it is before start',
      }),
    tests: z.array(testSchema).min(1).max(50_000),
    environment: z.object({ buildUrl: z.string().max(500).nullish(), extra }).nullish(),
    extra,
  }),
})
type Ctrf = z.infer<typeof ctrfSchema>

/** Converts a CTRF report; `beside` = details sent with the file. */
export function fromCtrf(
  report: Ctrf,
  recordDigest: Digest,
  beside: SubmissionDetails,
): TestReport {
  const { tool, summary, tests, environment } = report.results
  const startedAt = instant(summary.start)
  const endedAt = instant(summary.stop)
  return {
    format: 'ctrf',
    formatVersion: report.specVersion ?? null,
    harness: { name: tool.name, version: tool.version ?? null, commit: null, dirty: null },
    url: environment?.buildUrl ?? null,
    details: readAllDetails(report, beside),
    startedAt,
    endedAt,
    identity: [tool.name, report.reportId ?? null, startedAt, endedAt],
    recordDigest,
    cases: tests.map(toCtrfCase),
    untold: [
      ...(tests.every(({ start }) => start) ? [] : ['when each attempt started']),
      ...describeMissing(summary.tests ?? null, tests.length, 'tests'),
    ],
  }
}

/** A report has `extra` in three places; each may hold details under their own names or under `proofboard`. */
function readAllDetails(
  { extra: outer, results }: Ctrf,
  beside: SubmissionDetails,
): SubmissionDetails {
  const places = [outer, results.environment?.extra, results.extra]
  return places.reduce<SubmissionDetails>((details, place) => {
    const own = place?.proofboard
    const named = typeof own === 'object' && own !== null ? (own as Record<string, unknown>) : {}
    return readSubmissionDetails({ ...place, ...named }, details)
  }, beside)
}

/** Converts one test of a CTRF report. */
export function toCtrfCase(test: z.infer<typeof testSchema>): TestCase {
  const { name, status, rawStatus, duration, start, stop } = test
  const { suite, message, trace, retries, flaky } = test
  return {
    group: typeof suite === 'string' ? [suite] : (suite ?? []),
    name,
    status: rawStatus === 'todo' && status === 'other' ? 'skipped' : STATUS_WORDS[status],
    isFlaky: flaky === true && status === 'passed',
    retries: retries ?? null,
    ms: duration,
    times:
      start && stop && stop >= start ? { startedAt: instant(start), endedAt: instant(stop) } : null,
    message: message ?? trace ?? null,
  }
}

const STATUS_WORDS = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  other: 'error',
} as const satisfies Record<(typeof STATUSES)[number], TestCase['status']>

function instant(ms: number): string {
  return new Date(ms).toISOString()
}

/** Larger reports are refused unread. */
export const MAX_TEST_REPORT_BYTES = 8 << 20
