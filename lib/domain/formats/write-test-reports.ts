import { type AnyEpisode, outcomeReason } from '../record/index.ts'
import {
  countExportedStatuses,
  type Exported,
  type ExportedSlot,
  exportedHarnessVersion,
  exportedStatusOf,
  gradingTexts,
  nameSlot,
  type Pieces,
  type ReportEnding,
  readSlots,
} from './exported.ts'

/**
 * Writes a JUnit report: one test case per slot. The subject's failures are failures, others errors, unjudged slots
 * skipped; attempts before the last one are reruns.
 */
export async function* writeJunit(exported: Exported): Pieces {
  const { suiteId, startedAt, endedAt, subject } = exported
  const { passed, failed, error, skipped } = countExportedStatuses(exported)
  const counts = `tests="${passed + failed + error + skipped}" failures="${failed}" errors="${error}" skipped="${skipped}"`
  const time =
    startedAt && endedAt ? ` time="${seconds(Date.parse(endedAt) - Date.parse(startedAt))}"` : ''
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<testsuites name="${xml(exported.name)}" ${counts}${time}>\n`
  yield `<testsuite name="${xml(suiteId)}" ${counts}${startedAt ? ` timestamp="${startedAt}"` : ''}>\n`
  yield '<properties>\n'
  const values = {
    subject: subject.name,
    subjectVersion: subject.version,
    model: subject.modelRequested,
    provider: subject.provider,
    suite: suiteId,
    suiteVersion: exported.suiteDigest,
  }
  for (const [name, value] of Object.entries(values))
    if (value !== null) yield `<property name="proofboard.${name}" value="${xml(value)}"/>\n`
  yield '</properties>\n'
  for await (const slot of readSlots(exported)) yield testCase(slot, exported)
  yield '</testsuite>\n</testsuites>\n'
}

function testCase(slot: ExportedSlot, exported: Exported): string {
  const { last, earlier } = slot
  const { totalMs } = last.effort.wall
  const time = totalMs === null ? '' : ` time="${seconds(totalMs)}"`
  const name = `name="${xml(nameSlot(last, exported))}" classname="${xml(last.suiteId)}"`
  const ending = exportedStatusOf(last.outcome.status)
  const inner = [
    ...gradingProperties(slot),
    ...earlier.map((one) => rerun(one, ending)),
    ...verdict(last, ending),
  ]
  return inner.length === 0
    ? `<testcase ${name}${time}/>\n`
    : `<testcase ${name}${time}>${inner.join('')}</testcase>\n`
}

/** Both grading results, the grader, and the result of evaluating it here, as properties of the test case. */
function gradingProperties({ last, evaluatedHere }: ExportedSlot): string[] {
  const { verifier = null, ...results } = gradingTexts(last) ?? {}
  const values = {
    ...results,
    ...(verifier && {
      verifierSandbox: verifier.sandbox,
      verifierNetwork: verifier.network,
      verifierDigest: verifier.digest,
    }),
    ...(evaluatedHere && { evaluatedHere }),
  }
  const properties = Object.entries(values).map(
    ([name, value]) => `<property name="proofboard.${name}" value="${xml(value)}"/>`,
  )
  return properties.length > 0 ? [`<properties>${properties.join('')}</properties>`] : []
}

/** Surefire's elements: flaky if the last attempt passed, rerun if it did not; earlier attempts were never judged. */
function rerun(episode: AnyEpisode, ending: ReportEnding): string {
  const tag = ending === 'passed' ? 'flakyError' : 'rerunError'
  return `<${tag} ${describe(episode)}/>`
}

function verdict(episode: AnyEpisode, ending: ReportEnding): string[] {
  if (ending === 'passed') return []
  const reason = outcomeReason(episode.outcome)
  if (ending === 'skipped') return [`<skipped message="${xml(reason)}"/>`]
  const tag = ending === 'failed' ? 'failure' : 'error'
  return [`<${tag} ${describe(episode)}>${xml(reason)}</${tag}>`]
}

function describe({ outcome, failureCategory }: AnyEpisode): string {
  const type = [outcome.status, failureCategory].filter(Boolean).join('/')
  return `message="${xml(outcomeReason(outcome).slice(0, 300))}" type="${xml(type)}"`
}

function seconds(ms: number): string {
  return String(Number((ms / 1000).toFixed(3)))
}

const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Escapes text for an element or attribute; characters that XML does not allow become U+FFFD. */
function xml(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(FORBIDDEN, '\uFFFD')
    .replace(/[&<>"\t\n\r]/g, (letter) => NAMES[letter] ?? letter)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML 1.0 does not allow.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const SPEC_VERSION = '0.1.0'

const STATUS = {
  passed: 'passed',
  failed: 'failed',
  error: 'other',
  skipped: 'skipped',
} as const satisfies Record<ReportEnding, string>

/**
 * Writes a CTRF report: one test per slot, attempts before the last one as its retries. Void is `other`: not the
 * subject's failure.
 */
export async function* writeCtrf(exported: Exported): Pieces {
  const { startedAt, endedAt, suiteId, subject } = exported
  const { passed, failed, error, skipped } = countExportedStatuses(exported)
  const version = exportedHarnessVersion(exported)
  const head = {
    tool: { name: 'proofboard', ...(version ? { version } : {}) },
    summary: {
      tests: passed + failed + error + skipped,
      passed,
      failed,
      pending: 0,
      skipped,
      other: error,
      start: epoch(startedAt),
      stop: epoch(endedAt),
    },
    extra: {
      proofboard: {
        runs: exported.runs.map(({ runId, plan }) => ({ runId, planDigest: plan.planDigest })),
        suite: suiteId,
        suiteVersion: exported.suiteDigest,
        subject: subject.name,
        ...(subject.version ? { subjectVersion: subject.version } : {}),
        ...(subject.modelRequested ? { model: subject.modelRequested } : {}),
        ...(subject.provider ? { provider: subject.provider } : {}),
      },
    },
  }
  yield `{"reportFormat":"CTRF","specVersion":"${SPEC_VERSION}","generatedBy":"proofboard",`
  yield `"results":${JSON.stringify(head).slice(0, -1)},"tests":[`
  let separator = ''
  for await (const slot of readSlots(exported)) {
    yield `${separator}${JSON.stringify(toTest(slot, exported))}`
    separator = ','
  }
  yield ']}}\n'
}

function toTest({ last, earlier, evaluatedHere }: ExportedSlot, exported: Exported) {
  const ending = exportedStatusOf(last.outcome.status)
  const retries = earlier.map((episode, index) => ({
    attempt: index + 1,
    status: STATUS[exportedStatusOf(episode.outcome.status)],
    ...timing(episode),
    message: outcomeReason(episode.outcome),
  }))
  const { totalMs } = last.effort.wall
  const grading = gradingTexts(last)
  return {
    name: nameSlot(last, exported),
    status: STATUS[ending],
    // The schema requires an integer even if it is unknown; `extra` says so.
    duration: 0,
    ...timing(last),
    suite: [last.suiteId],
    rawStatus: last.outcome.status,
    ...(ending === 'passed' ? {} : { message: outcomeReason(last.outcome) }),
    ...(retries.length > 0 ? { retries: retries.length, retryAttempts: retries } : {}),
    extra: {
      episodeId: last.episodeId,
      failureCategory: last.failureCategory,
      ...(grading ? { grading } : {}),
      ...(evaluatedHere ? { evaluatedHere } : {}),
      ...(totalMs === null ? { durationIsUnknown: true } : {}),
    },
  }
}

function timing(episode: AnyEpisode) {
  const { totalMs } = episode.effort.wall
  const isOwn = episode.schemaVersion === 1 || episode.source.times === 'attempt'
  return {
    ...(totalMs === null ? {} : { duration: Math.round(totalMs) }),
    ...(isOwn ? { start: epoch(episode.startedAt), stop: epoch(episode.endedAt) } : {}),
  }
}

function epoch(instant: string | null): number {
  return instant === null ? 0 : Date.parse(instant)
}
