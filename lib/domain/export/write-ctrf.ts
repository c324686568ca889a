import type { Episode } from '../episode.ts'
import { outcomeReason } from '../outcome.ts'
import {
  countEndings,
  type Ending,
  type Exported,
  endingOf,
  harnessVersion,
  nameSlot,
  type Pieces,
  readSlots,
  type Slot,
} from './exported.ts'
import { gradingTexts } from './grading-texts.ts'

const SPEC_VERSION = '0.1.0'

const STATUS = {
  passed: 'passed',
  failed: 'failed',
  error: 'other',
  skipped: 'skipped',
} as const satisfies Record<Ending, string>

/** A CTRF report: one test a slot, attempts before the last one as its retries. Void is `other`: nobody's failure. */
export async function* writeCtrf(exported: Exported): Pieces {
  const { startedAt, endedAt, suiteId, subject } = exported
  const { passed, failed, error, skipped } = countEndings(exported)
  const version = harnessVersion(exported)
  const head = {
    tool: { name: 'proofboard', ...(version ? { version } : {}) },
    summary: {
      ...{ tests: passed + failed + error + skipped, passed, failed, pending: 0, skipped },
      ...{ other: error, start: epoch(startedAt), stop: epoch(endedAt) },
    },
    extra: {
      proofboard: {
        runs: exported.runs.map(({ runId, plan }) => ({ runId, planDigest: plan.planDigest })),
        ...{ suite: suiteId, suiteVersion: exported.suiteDigest, subject: subject.name },
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

function toTest({ last, earlier }: Slot, exported: Exported) {
  const ending = endingOf(last.outcome.status)
  const retries = earlier.map((episode, index) => ({
    attempt: index + 1,
    status: STATUS[endingOf(episode.outcome.status)],
    ...timing(episode),
    message: outcomeReason(episode.outcome),
  }))
  const { totalMs } = last.effort.wall
  const grading = gradingTexts(last)
  return {
    name: nameSlot(last, exported),
    status: STATUS[ending],
    // The schema wants a whole number where nobody knows one: `extra` says so.
    ...{ duration: 0, ...timing(last) },
    suite: [last.suiteId],
    rawStatus: last.outcome.status,
    ...(ending === 'passed' ? {} : { message: outcomeReason(last.outcome) }),
    ...(retries.length > 0 ? { retries: retries.length, retryAttempts: retries } : {}),
    extra: {
      episodeId: last.episodeId,
      failureCategory: last.failureCategory,
      ...(grading ? { grading } : {}),
      ...(totalMs === null ? { durationIsUnknown: true } : {}),
    },
  }
}

function timing(episode: Episode) {
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
