import { z } from 'zod'
import type { Digest } from '../digest.ts'
import type { TestCase, TestReport } from './test-report.ts'
import { readTold, type Told } from './told.ts'

const STATUSES = ['passed', 'failed', 'skipped', 'pending', 'other'] as const
const text = z.string().max(1_000_000)
const extra = z.record(z.string(), z.unknown()).nullish()
const count = z.number().int().nonnegative()

const testSchema = z.object({
  name: z.string().min(1).max(1000),
  status: z.enum(STATUSES),
  duration: z.number().nonnegative(),
  start: count.nullish(),
  stop: count.nullish(),
  /** A list of names since version 0.0.1 of the schema; before that one name. */
  suite: z.union([z.array(z.string().max(1000)).max(50), z.string().max(1000)]).nullish(),
  message: text.nullish(),
  trace: text.nullish(),
  retries: count.nullish(),
  flaky: z.boolean().nullish(),
})

/** A CTRF report, as its schema 0.1.0 has it; what is not read here is kept with the record all the same. */
export const ctrfSchema = z.object({
  specVersion: z.string().max(100).nullish(),
  reportId: z.string().max(200).nullish(),
  extra,
  results: z.object({
    tool: z.object({ name: z.string().min(1).max(200), version: z.string().max(100).nullish() }),
    summary: z
      .object({ tests: count, passed: count, failed: count, start: count.min(1), stop: count })
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

/** A CTRF report as a report of tests; `beside` is what was said beside the file. */
export function fromCtrf(report: Ctrf, recordDigest: Digest, beside: Told): TestReport {
  const { tool, summary, tests, environment } = report.results
  const startedAt = instant(summary.start)
  const endedAt = instant(summary.stop)
  return {
    format: 'ctrf',
    formatVersion: report.specVersion ?? null,
    harness: { name: tool.name, version: tool.version ?? null, commit: null, dirty: null },
    url: environment?.buildUrl ?? null,
    told: readAllTold(report, beside),
    startedAt,
    endedAt,
    identity: [tool.name, report.reportId ?? null, startedAt, endedAt],
    recordDigest,
    cases: tests.map(toCase),
    untold: tests.every(({ start }) => start) ? [] : ['when each attempt started'],
  }
}

/** `extra` stands at three places of a report; each may say it under its own name or under `proofboard`. */
function readAllTold({ extra: outer, results }: Ctrf, beside: Told): Told {
  const places = [outer, results.environment?.extra, results.extra]
  return places.reduce<Told>((told, place) => {
    const own = place?.proofboard
    const named = typeof own === 'object' && own !== null ? (own as Record<string, unknown>) : {}
    return readTold({ ...place, ...named }, told)
  }, beside)
}

function toCase(test: z.infer<typeof testSchema>): TestCase {
  const { name, status, duration, start, stop, suite, message, trace, retries, flaky } = test
  return {
    group: typeof suite === 'string' ? [suite] : (suite ?? []),
    name,
    status: STATUS_WORDS[status],
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
