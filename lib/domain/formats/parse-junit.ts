import type { Digest } from '../digest.ts'
import type { ParseResult } from '../problem.ts'
import { readTime } from './read-time.ts'
import type { TestCase, TestReport } from './test-report.ts'
import { readTold, type Told } from './told.ts'

/** What the XML of a JUnit report holds, as it stands there. */
export type JunitDocument = {
  /** Attributes of the outermost element. */
  root: Readonly<Record<string, string>>
  /** `timestamp` of the first suite that has one. */
  timestamp: string | null
  /** Properties of the report and of its suites; the first of a name. */
  properties: Readonly<Record<string, string>>
  cases: readonly JunitCase[]
}

export type JunitCase = {
  suites: readonly string[]
  attributes: Readonly<Record<string, string>>
  status: TestCase['status']
  /** Failures before it passed, and every other try before the last. */
  flaky: number
  reruns: number
  message: string | null
  text: string
}

const PREFIX = 'proofboard.'

/** A JUnit report as a report of tests; `beside` is what was said beside the file. */
export function fromJunit(
  document: JunitDocument,
  recordDigest: Digest,
  beside: Told,
): ParseResult<TestReport> {
  const said = document.root.timestamp ?? document.timestamp
  const startedAt = said === null || said === undefined ? null : readTime(said)
  if (startedAt === null) {
    const message = said
      ? `its timestamp ${JSON.stringify(said.slice(0, 40))} is not a time: write it as 2026-01-31T12:00:00Z`
      : 'it does not say when it ran: add timestamp="…" to <testsuite>'
    return { ok: false, problems: [{ path: 'timestamp', message }] }
  }
  const { name = null, time } = document.root
  const wholeMs = readSeconds(time)
  const endedAt = new Date(Date.parse(startedAt.at) + (wholeMs ?? 0)).toISOString()
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
      told: readTold(unprefixed(document.properties), beside),
      startedAt: startedAt.at,
      endedAt,
      identity: [name, startedAt.at],
      recordDigest,
      cases: document.cases.map(toCase),
      untold: [
        'when each attempt started',
        ...(startedAt.hasZone ? [] : ['the time zone of its time']),
      ],
    },
  }
}

function unprefixed(properties: JunitDocument['properties']): Record<string, string> {
  const own = Object.entries(properties).filter(([name]) => name.startsWith(PREFIX))
  return Object.fromEntries(own.map(([name, value]) => [name.slice(PREFIX.length), value]))
}

function toCase({ suites, attributes, status, flaky, reruns, message, text }: JunitCase): TestCase {
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

/** Seconds as JUnit writes them, `1,204.5` too, in milliseconds. */
function readSeconds(time: string | undefined): number | null {
  if (time === undefined || !/^\d[\d,]*(\.\d+)?([eE]-?\d+)?$/.test(time.trim())) return null
  const ms = 1000 * Number(time.trim().replaceAll(',', ''))
  return Number.isFinite(ms) && ms <= Number.MAX_SAFE_INTEGER ? Math.round(1000 * ms) / 1000 : null
}
