import { type EvidenceFile, type Outcome, sumKnown } from '../record/index.ts'
import { firstLine, type ParseResult, refuseInput } from '../text/index.ts'
import type { TestCase, TestReport } from './parse-test-reports.ts'
import type { ReportedAttempt, ReportedRun } from './reported-run.ts'
import { SUBMISSION_DETAIL_FIELDS, type SubmissionDetails } from './submission-details.ts'

/** Returns the evidence of the tests of one attempt, given their indexes in the report. */
export type TestEvidence = (places: readonly number[]) => readonly EvidenceFile[]

const NEVER_REPORTED = [
  'tokens',
  'cost',
  'steps',
  'model that answered',
  'settings and budgets',
  'environment',
  'what the agent itself did',
]

/** Converts a test report, which states neither subject nor suite: the sender has to, or the report is refused. */
export function fromTests(report: TestReport, evidenceOf: TestEvidence): ParseResult<ReportedRun> {
  const { details, recordDigest } = report
  const { subject, suite } = details
  if (!subject || !suite) return refuseInput(describeMissing({ subject, suite }))
  const units = details.tasks === 'suites' ? groupSuites(report.cases) : listCases(report.cases)
  if (units.length === 0) return refuseInput('it contains no tests')
  const seen = new Map<string, number>()
  const attempts = units.map(({ name, places, cases }): ReportedAttempt => {
    const repetition = (seen.get(name) ?? 0) + 1
    seen.set(name, repetition)
    return {
      ...judge(cases),
      ...describeCases(cases),
      task: { name, checksum: null, category: null },
      repetition,
      recordName: name,
      recordDigest,
      evidence: evidenceOf(places),
    }
  })
  const { subjectVersion, model, provider, suiteVersion } = details
  return {
    ok: true,
    value: {
      format: report.format,
      formatVersion: report.formatVersion,
      harness: report.harness,
      url: report.url,
      untold: [...NEVER_REPORTED, ...report.untold],
      identity: [...listDetails({ tasks: 'cases', ...details }), ...report.identity],
      dataset: { name: suite, version: suiteVersion ?? null },
      subject: {
        name: subject,
        version: subjectVersion ?? null,
        provider: provider ?? null,
        model: model ?? null,
      },
      settings: {},
      startedAt: report.startedAt,
      endedAt: report.endedAt,
      attempts,
    },
  }
}

function listDetails(details: SubmissionDetails): (string | null)[] {
  return SUBMISSION_DETAIL_FIELDS.map((field) => details[field] ?? null)
}

function describeMissing(details: {
  subject?: string | undefined
  suite?: string | undefined
}): string {
  const missing = Object.entries(details).flatMap(([name, value]) => (value ? [] : [name]))
  const what = missing.join(' and ')
  return `it does not say ${missing.includes('subject') ? 'who was measured' : 'which tasks these are'}: add ${what} beside the file (form field or ?${missing.join('=…&')}=…), or in the report itself`
}

const SEPARATOR = ' › '

type Unit = { name: string; places: number[]; cases: TestCase[] }

function listCases(cases: readonly TestCase[]): Unit[] {
  const shared = countShared(cases)
  return cases.map((one, place) => {
    const name = [...one.group.slice(shared), one.name].join(SEPARATOR)
    return { name, places: [place], cases: [one] }
  })
}

/** Suites around every test distinguish none of them. */
function countShared(cases: readonly TestCase[]): number {
  const first = cases[0]?.group ?? []
  const differs = first.findIndex((name, depth) => cases.some(({ group }) => group[depth] !== name))
  return differs === -1 ? first.length : differs
}

/** Groups tests by suite: by the suite's own name or, if several share it, by its whole path. */
function groupSuites(cases: readonly TestCase[]): Unit[] {
  const paths = new Map<string, Set<string>>()
  for (const { group, name } of cases) {
    const own = group.at(-1) ?? name
    paths.set(own, (paths.get(own) ?? new Set()).add(group.join(SEPARATOR)))
  }
  const units = new Map<string, Unit>()
  cases.forEach((one, place) => {
    const own = one.group.at(-1) ?? one.name
    const isShared = (paths.get(own)?.size ?? 0) > 1
    const name = isShared ? one.group.join(SEPARATOR) || own : own
    const unit = units.get(name) ?? { name, places: [], cases: [] }
    units.set(name, unit)
    unit.places.push(place)
    unit.cases.push(one)
  })
  return [...units.values()]
}

type Verdict = Pick<
  ReportedAttempt,
  'outcome' | 'failureCategory' | 'agentSuccess' | 'testSuccess' | 'overallSuccess'
>

/** The first attempt counts: a test that passed only on a retry has failed. */
function judge(cases: readonly TestCase[]): Verdict {
  const failed = cases.find(({ status }) => status === 'failed')
  const flaky = cases.find(({ isFlaky }) => isFlaky)
  if (failed) return unsolved(failed.message ?? 'The test failed.')
  if (flaky) return unsolved('It passed only when it was tried again: the first attempt counts.')
  const stopped = cases.find(({ status }) => status === 'error' || status === 'skipped')
  if (!stopped)
    return { ...NO_FLAGS, outcome: { status: 'solved' }, failureCategory: null, testSuccess: true }
  const reason = firstLine(stopped.message)
  const outcome: Outcome =
    stopped.status === 'error'
      ? { status: 'void', fault: 'harness', reason: reason ?? 'The report says error: no verdict.' }
      : { status: 'cancelled', reason: reason ?? 'The report says that it was skipped.' }
  return {
    ...NO_FLAGS,
    outcome,
    failureCategory: stopped.status === 'error' ? 'harness' : 'cancelled',
  }
}

const NO_FLAGS = { agentSuccess: null, testSuccess: null, overallSuccess: null }

function unsolved(reason: string): Verdict {
  const outcome = { status: 'unsolved' as const, reason: firstLine(reason) ?? 'The test failed.' }
  return { ...NO_FLAGS, outcome, failureCategory: 'test-failure', testSuccess: false }
}

function describeCases(cases: readonly TestCase[]) {
  const [first] = cases
  const isAlone = cases.length === 1
  return {
    times: isAlone ? (first?.times ?? null) : null,
    wall: { totalMs: sumKnown(cases.map(({ ms }) => ms)) },
    retries: sumKnown(cases.map(({ retries }) => retries)),
    steps: null,
    toolCalls: null,
    usage: null,
    modelObserved: [],
    exitCode: null,
    score: null,
  }
}
