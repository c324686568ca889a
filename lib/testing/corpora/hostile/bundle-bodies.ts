import { saveSuite } from '#lib/db/suite-store.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { digestPlan } from '#lib/domain/record/index.ts'
import { samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import type { Db } from '../../../db/db.ts'
import { smallBundle } from '../small-bundle.ts'
import {
  body,
  edited,
  forged,
  forgedBundle,
  type HostileBody,
  type Loose,
  reseal,
} from './hostile-body.ts'

const DAY_MS = 86_400_000
const NEXT_YEAR = new Date(Date.now() + 365 * DAY_MS).toISOString()
const first = () => smallBundle()
const firstEpisode = (bundle: Loose) => bundle.episodes[0]

/** Valid JSON with results that must not be stored. */
export const BUNDLE_BODIES: readonly HostileBody[] = [
  body('other JSON', () => '{"hello":1}', 422, 'unsupported format'),
  body(
    'half a report',
    () => '{"reportFormat":"CTRF","results":{}}',
    422,
    'results.tool is missing',
  ),
  body('a number', () => '1', 422, 'unsupported format'),
  body('an empty object', () => '{}', 422, 'an empty JSON object'),
  body('an empty list', () => '[]', 422, 'contains no episodes'),
  body('a list of nothing', () => '[null,1,"x",[]]', 422, 'this is not an episode envelope'),
  body('a bundle of another kind', () => edited((b) => (b.kind = 'x')), 422, 'unsupported format'),
  body(
    'a newer bundle',
    () => edited((b) => (b.schemaVersion = 3)),
    422,
    'newer than this program',
  ),
  body(
    'a newer episode',
    () => edited((b) => (firstEpisode(b).schemaVersion = 9)),
    422,
    'newer than this program',
  ),
  body('no episodes', () => edited((b) => (b.episodes = [])), 422, 'contains no episodes'),
  body(
    'episodes that are not a list',
    () => edited((b) => (b.episodes = {})),
    422,
    'list of episodes',
  ),
  body('no plan', () => edited((b) => delete b.plan), 422, 'plan'),
  body('no lock', () => edited((b) => delete b.lock), 422, 'lock'),
  body('an edited plan', () => edited((b) => (b.plan.repetitions = 9)), 422, 'after it was frozen'),
  body(
    'another plan, frozen well',
    () => edited((b) => refreeze(b, () => (b.plan.repetitions = 9))),
    422,
    'belongs to another plan',
  ),
  body(
    'a plan of another suite version',
    () =>
      edited((b) => {
        const other = forgedBundle((bundle) => (bundle.plan.suiteDigest = digestBytes('other')))
        b.episodes = JSON.parse(other).episodes
      }),
    422,
    'belongs to another plan',
  ),
  body(
    'an episode of another suite version',
    () => forged((e) => (e.suiteDigest = digestBytes('other'))),
    422,
    'suiteDigest',
  ),
  body(
    'a suite of this server with other tasks',
    () => smallBundle(),
    422,
    'is not this task as that version of the suite has it',
    { prepare: keepSampleSuite },
  ),
  body('a plan of tomorrow', () => edited((b) => (b.plan.frozenAt = NEXT_YEAR)), 422, 'the future'),
  body(
    'a run id that is a path',
    () => edited((b) => (b.runId = '../../etc')),
    422,
    'not a run id',
  ),
  body('a run id that is an object', () => edited((b) => (b.runId = {})), 422, 'not a run id'),
  body('another run', () => edited((b) => (b.runId = 'run_unknown001')), 422, 'another run'),
  body(
    'an edited episode',
    () => edited((b) => (firstEpisode(b).outcome = { status: 'unsolved', reason: 'x' })),
    422,
    'changed after it was sealed',
  ),
  body(
    'a seal of other content',
    () => edited((b) => (firstEpisode(b).seal = digestBytes('x'))),
    422,
    'the seal does not match',
  ),
  body(
    'a seal of another kind',
    () => edited((b) => (firstEpisode(b).seal = 'md5:00')),
    422,
    'sha256',
  ),
  body(
    "another episode's name",
    () => {
      const { episodes } = JSON.parse(smallBundle())
      return edited((b) => (firstEpisode(b).episodeId = episodes[1].episodeId))
    },
    422,
    'the seal does not match',
  ),
  body(
    'a contradiction, sealed',
    () => forged((e) => (e.testSuccess = false)),
    422,
    'must say what',
  ),
  body(
    'an episode of tomorrow',
    () => forged((e) => Object.assign(e, { startedAt: NEXT_YEAR, endedAt: NEXT_YEAR })),
    422,
    'is in the future',
  ),
  body(
    'an end before its start',
    () => forged((e) => (e.endedAt = '2025-01-01T00:00:00.000Z')),
    422,
    'endedAt',
  ),
  body(
    'a negative duration',
    () => forged((e) => (e.effort.wall.subjectMs = -5)),
    422,
    'effort.wall.subjectMs',
  ),
  body(
    'minus half a test',
    () => forged((e) => (e.contract.passedTests = -0.5)),
    422,
    'passedTests',
  ),
  body(
    'more tests than there are',
    () => forged((e) => (e.contract.passedTests = 99)),
    422,
    'contract',
  ),
  body(
    'another subject',
    () => forged((e) => (e.subject.version = '9.9.9')),
    422,
    'planned subject',
  ),
  body('a repetition too many', () => forged((e) => (e.repetition = 77)), 422, 'not a repetition'),
  body('repetition zero', () => forged((e) => (e.repetition = 0)), 422, 'repetition'),
  body(
    'another version of a task',
    () => forged((e) => (e.taskDigest = digestBytes('other'))),
    422,
    'not the planned version',
  ),
  body('a second attempt alone', () => forged((e) => (e.attempt = 2)), 422, 'attempt 1 of alpha'),
  body(
    'a later attempt after a scored one',
    () => edited((b) => b.episodes.push(reseal({ ...firstEpisode(b), attempt: 2 }))),
    422,
    'is scored by attempt 1 already',
  ),
  body(
    'two truths of one slot',
    () => edited((b) => b.episodes.push(reseal({ ...firstEpisode(b), category: 'other' }))),
    422,
    'twice, with different content',
  ),
  body(
    'a part that does not exist',
    () => edited((b) => (b.shard = { index: 3, count: 2 })),
    422,
    'shard that does not exist',
  ),
  body(
    'evidence that climbs out of its folder',
    () => forged((e) => (e.evidence = [{ ...evidence(), path: '../../../etc/passwd' }])),
    422,
    'stays inside its folder',
  ),
  body(
    'a solved void',
    () => forged((e) => (e.outcome = { status: 'void', reason: 'x' })),
    422,
    '',
  ),
  body(
    'an outcome of its own',
    () => forged((e) => (e.outcome = { status: 'won' })),
    422,
    'outcome',
  ),
  body(
    'other content of a stored episode',
    () => forged((e) => (e.category = 'other')),
    409,
    'already stored with different content, which was not changed',
    { first },
  ),
  body(
    'a second try at what is scored',
    () =>
      edited((b) => {
        b.episodes = [reseal({ ...firstEpisode(b), attempt: 2 })]
      }),
    409,
    'cannot replace it',
    { first },
  ),
  body(
    'a stored run with another plan',
    () => forgedBundle((b) => (b.plan.repetitions = 9)),
    409,
    'already stored with another plan',
    { first },
  ),
  body(
    'a stored run as another part of its plan',
    () => edited((b) => (b.shard = { index: 1, count: 2 }), smallBundle({ episodes: 4 })),
    409,
    'is stored as its whole plan',
    { first },
  ),
  body(
    'envelopes of an unknown run',
    () => JSON.stringify(JSON.parse(smallBundle()).episodes),
    422,
    'upload its result.json',
  ),
]

function evidence() {
  return {
    role: 'gate-log',
    path: 'gate.log',
    digest: digestBytes('x'),
    sizeBytes: 1,
    droppedBytes: 0,
  }
}

/** Changes the plan and freezes it again; the episodes stay sealed. */
function refreeze(bundle: Loose, change: () => void): void {
  change()
  bundle.plan.planDigest = digestPlan(bundle.plan)
}

/** Stores the suite version that the sample plan names, with other tasks. */
async function keepSampleSuite(db: Db): Promise<void> {
  await saveSuite(db, { ...sampleSuite(), digest: samplePlan().suiteDigest }, new Date())
}
