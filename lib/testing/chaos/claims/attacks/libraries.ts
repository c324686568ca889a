import { randomInt } from 'node:crypto'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import {
  BUNDLE_KIND,
  type Episode,
  expandPlan,
  freezePlan,
  identifyEpisode,
  type Plan,
  type Subject,
  sealEpisode,
} from '#lib/domain/record/index.ts'
import { packZip, zipFiles } from '../../../corpora/pack-zip.ts'
import { type BoardAttack, expectLabelled, mustRegister, playedOf } from '../attack.ts'
import type { AttackedBoard } from '../attacked-board.ts'
import { newRunId } from '../forge.ts'
import type { RealAttempt } from '../real-attempts.ts'

const STATE = 'final-state.json'

type WorkflowChanges = {
  subject?: Partial<Subject>
  /** True if no evidence file is sent. */
  isBare?: true
  files?: (files: Record<string, string>) => Record<string, string>
  change?: (episode: Episode) => Partial<Episode>
}

/** Uploads a registered run of a browser suite, made from real attempts, as a new sender. */
export async function sendWorkflows(
  ground: AttackedBoard,
  name: string,
  { subject = {}, isBare, files: changeFiles = (files) => files, change }: WorkflowChanges = {},
) {
  const real = await ground.workflows()
  const { schemaVersion: _, planDigest: __, frozenAt: ___, ...draft } = real.plan
  const plan: Plan = freezePlan(
    {
      ...draft,
      policyVersion: POLICY_VERSION,
      repetitions: 5,
      // Plans of two senders must differ.
      settings: { ...draft.settings, seed: randomInt(1, 1_000_000) },
      subject: { ...draft.subject, ...subject },
    },
    { now: new Date().toISOString() },
  )
  const by = await ground.token(name)
  const runId = newRunId()
  await mustRegister(ground, by, { plan, runs: [{ runId }] })
  const texts: Record<string, string> = {}
  const episodes = expandPlan(plan).map(({ taskId, repetition }, index) => {
    const attempt = real.attempts.get(taskId) as RealAttempt
    const made = relive(attempt, { plan, runId, repetition, index }, changeFiles)
    const body = { ...made.episode, ...change?.(made.episode) }
    const { seal: ____, ...rest } = body
    const episode = sealEpisode({ ...rest, episodeId: identifyEpisode(rest) })
    if (!isBare) {
      const folder = `episodes/${taskId}/r${repetition}-a1`
      for (const [path, text] of Object.entries(made.files)) texts[`${folder}/${path}`] = text
      texts[`${folder}/episode.json`] = JSON.stringify(episode)
    }
    return episode
  })
  const lock = episodes[0]?.environment ?? null
  const bundle = JSON.stringify({
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId,
    plan,
    lock,
    episodes,
    shard: { index: 1, count: 1 },
  })
  const zip = packZip(
    zipFiles({ ...texts, 'plan.json': JSON.stringify(plan), 'result.json': bundle }),
  )
  const endsAt = new Date(Math.max(...episodes.map(({ endedAt }) => Date.parse(endedAt))))
  const result = await ground.send(by, { zip, bundle, endsAt }, isBare ? 'bundle' : 'zip')
  return playedOf(result, { runId })
}

type Place = { plan: Plan; runId: string; repetition: number; index: number }

/** Moves an attempt to another time, with new request ids, origin and times. */
function relive(
  { episode, files }: RealAttempt,
  { plan, runId, repetition, index }: Place,
  changeFiles: NonNullable<WorkflowChanges['files']>,
) {
  const startedAt = new Date(Date.now() + index)
  const shift = startedAt.getTime() - Date.parse(episode.startedAt)
  const moved = (text: string) =>
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) =>
        isDuring(at, episode) ? new Date(Date.parse(at) + shift).toISOString() : at,
      )
      .replace(/http:\/\/e[0-9a-f]+\./g, `http://e${digestBytes(`${runId}${index}`).slice(7, 31)}.`)
  const changed = changeFiles({ ...files, [STATE]: moved(files[STATE] ?? '') })
  const evidence = episode.evidence.flatMap((file) => {
    const text = changed[file.path]
    if (text === undefined) return []
    return [{ ...file, digest: digestBytes(text), sizeBytes: Buffer.byteLength(text) }]
  })
  const { environment } = episode
  const { settings } = plan
  const whole: Episode = {
    ...episode,
    runId,
    planDigest: plan.planDigest,
    repetition,
    attempt: 1,
    previousAttempt: null,
    startedAt: startedAt.toISOString(),
    endedAt: new Date(Date.parse(episode.endedAt) + shift).toISOString(),
    subject: { ...plan.subject, settings, modelObserved: [] },
    environment: {
      ...environment,
      harness: { ...environment.harness, commit: '0'.repeat(40), dirty: false },
    },
    effort: {
      ...episode.effort,
      wall: { ...episode.effort.wall, subjectMs: (episode.effort.wall.subjectMs ?? 0) + index },
    },
    evidence,
  }
  return { episode: whole, files: changed }
}

function isDuring(at: string, { startedAt, endedAt }: Episode): boolean {
  const time = Date.parse(at)
  return time >= Date.parse(startedAt) - 1000 && time <= Date.parse(endedAt) + 1000
}

const one = (
  name: string,
  tries: string,
  codes: readonly string[],
  changes: WorkflowChanges,
): BoardAttack => ({
  name,
  tries,
  expected: expectLabelled(...codes),
  play: (ground) => sendWorkflows(ground, name, changes),
})

/** Attacks with browser libraries, their scripts and their evidence. */
export const LIBRARY_ATTACKS: readonly BoardAttack[] = [
  one(
    'library-of-no-one',
    'a browser library that does not exist, without evidence',
    ['evaluated-here', 'harness'],
    { subject: { name: 'fastest-browser', adapterVersion: '1+5285da6b' }, isBare: true },
  ),
  one('library-of-no-one-with-evidence', 'the same with the evidence of another', ['harness'], {
    subject: { name: 'fastest-browser' },
  }),
  one('library-other-scripts', 'playwright by scripts that nobody has', ['evaluated-here'], {
    subject: { adapterVersion: '1+aaaaaaaa' },
  }),
  one('library-without-evidence', 'playwright without one evidence file', ['evaluated-here'], {
    isBare: true,
  }),
  one('library-without-steps', 'playwright without its steps', ['evaluated-here'], {
    files: ({ 'steps.ndjson': _, ...files }) => files,
  }),
  one('library-without-state', 'playwright without the final state', ['evaluated-here'], {
    files: ({ [STATE]: _, ...files }) => files,
  }),
  one(
    'library-empty-state',
    'solved beside a final state of an untouched app',
    ['evaluated-here'],
    {
      files: (files) => ({
        ...files,
        [STATE]: JSON.stringify({ url: null, state: {}, requests: [] }),
      }),
    },
  ),
  one('library-all-lost', 'every browser lost, so that nothing can be judged', ['evaluated-here'], {
    files: ({ [STATE]: _, ...files }) => files,
    change: ({ effort }) => ({
      effort,
      agentSuccess: false,
      testSuccess: false,
      overallSuccess: false,
      outcome: { status: 'unsolved', reason: 'the browser had ended' },
      failureCategory: 'planning',
      contract: LOST,
    }),
  }),
]

const LOST: Episode['contract'] = {
  verdict: 'fail',
  expectedTests: null,
  executedTests: null,
  passedTests: null,
  assertions: [
    {
      kind: 'browser',
      label: 'the browser is there',
      expected: 'it is there',
      observed: 'it has ended',
      verdict: 'fail',
      children: [],
    },
  ],
}

/** The same real attempts without changes: this row must be ranked. */
export const HONEST_LIBRARY: BoardAttack = {
  name: 'honest-library',
  tries: 'honest attempts of playwright, sent with their evidence',
  expected: {
    end: 'shown',
    find: ({ label, provenance }) => (label === 'primary' ? `ranked, sent (${provenance})` : null),
  },
  play: (ground) => sendWorkflows(ground, 'honest-library'),
}
