import { beforeEach, describe, expect, it } from 'vitest'
import { saveBoard } from '#lib/db/board-store.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { saveRun } from '#lib/db/run-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { buildBoard } from '#lib/domain/board/index.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { type EpisodeBody, episodeFact, type Shard } from '#lib/domain/record/index.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import {
  SAMPLE_RUN_ID,
  sampleEpisode,
  samplePlan,
  sampleSuite,
} from '#lib/testing/factories/samples.ts'
import { readRunState } from '../live/run-state.ts'
import { listRunPage } from './runs.ts'

const temporary = databaseForEach()
const NOW = new Date('2026-01-01T00:00:00.000Z')
const RECEIPT = { provenance: 'local', directory: null, receivedAt: NOW } as const
const WALL = { prepareMs: 1, subjectMs: 1, restoreMs: 1, verifyMs: 1, evidenceMs: 1, totalMs: 5 }
const CUT_SHORT: Partial<EpisodeBody> = {
  effort: { ...sampleEpisode().effort, wall: WALL },
  outcome: { status: 'cancelled', reason: 'the run was stopped' },
  failureCategory: 'cancelled',
  contract: null,
  agentSuccess: false,
  testSuccess: false,
  overallSuccess: false,
}
/** The four slots of the sample plan. */
const SLOTS = samplePlan().tasks.flatMap(({ taskId, digest }) =>
  [1, 2].map((repetition) => ({ taskId, taskDigest: digest, repetition })),
)

const listed = async () => (await listRunPage({}, { after: null, limit: 10 })).items
const save = (changes: Partial<EpisodeBody>) =>
  saveEpisode(temporary.db, JSON.stringify(sampleEpisode(changes)), RECEIPT)

async function saveSample(shard?: Shard, jobId: string | null = null): Promise<void> {
  const run = { runId: SAMPLE_RUN_ID, plan: samplePlan(), provenance: 'local', jobId } as const
  await saveRun(temporary.db, { ...run, ...(shard && { shard }) }, NOW)
}

describe('a run by hand that was stopped in its last slot', () => {
  beforeEach(async () => {
    await saveSample()
    for (const slot of SLOTS.slice(0, 3)) await save(slot)
    await save({ ...SLOTS[3], ...CUT_SHORT })
  })

  it('is incomplete, and done once the slot was tried again', async () => {
    expect(await listed()).toMatchObject([
      { status: 'incomplete', planned: 4, sealed: 4, solved: 3, cancelled: 1 },
    ])
    expect(await readRunState(SAMPLE_RUN_ID)).toMatchObject({ sealed: 4, cancelled: 1 })
    await save({
      ...SLOTS[3],
      attempt: 2,
      previousAttempt: { episodeId: 'ep_0', reason: 'it was cut short' },
    })
    expect(await listed()).toMatchObject([{ status: 'done', sealed: 4, cancelled: 0 }])
  })

  it('has that slot pending while it is resumed', async () => {
    const { db } = temporary
    const jobId = await enqueueJob(db, { suiteId: 'sample', subject: 'nop', repetitions: 2 }, NOW)
    const data = { status: 'running', runId: SAMPLE_RUN_ID }
    await db.job.update({ where: { id: jobId }, data })
    expect(await readRunState(SAMPLE_RUN_ID)).toMatchObject({
      status: 'running',
      planned: 4,
      sealed: 3,
      solved: 3,
      cancelled: 0,
      // Estimated from the three scored attempts of 100 ms each: the one interrupted at 5 ms counts towards the cost
      // only.
      left: { hands: 1, from: 3, lowMs: 100, highMs: 100 },
      spend: { unmetered: 4 },
    })
  })
})

it('a shard is done when its own slots are', async () => {
  await saveSample({ index: 1, count: 2 })
  await save(SLOTS[0] ?? {})
  expect(await listed()).toMatchObject([{ status: 'incomplete', planned: 2 }])
  await save(SLOTS[1] ?? {})
  expect(await listed()).toMatchObject([{ status: 'done', planned: 2, sealed: 2 }])
})

it('a run that its plan’s rule stopped is done with what it owed, and says what decided', async () => {
  const pair = { digest: digestBytes('pair'), side: 'a' as const }
  const stop = { when: 'decided' as const, difference: 0.2, alpha: 0.05, looks: [4, 8], pair }
  const plan = samplePlan({ stop })
  const run = { runId: SAMPLE_RUN_ID, plan, provenance: 'local', jobId: null } as const
  await saveRun(temporary.db, run, NOW)
  const episodes = SLOTS.slice(0, 2).map((slot) => sampleEpisode(slot, plan))
  for (const episode of episodes) await saveEpisode(temporary.db, JSON.stringify(episode), RECEIPT)
  expect(await listed()).toMatchObject([{ status: 'incomplete', owed: 4, reason: null }])

  const suite = { ...sampleSuite(), digest: plan.suiteDigest }
  const facts = episodes.map((episode) => episodeFact(episode, 'local'))
  const board = buildBoard({ suite, facts, runs: [{ runId: SAMPLE_RUN_ID, plan }] })
  const decision = {
    verdict: 'better' as const,
    side: 'a' as const,
    difference: 1,
    low: 0.5,
    high: 1,
    look: 1,
    looks: 2,
    after: 4,
    planned: 8,
    smallest: 0.2,
    alpha: 0.05,
    savedMicroUsd: 2e6,
  }
  const stops = [{ ...decision, runId: SAMPLE_RUN_ID }]
  const rows = board.rows.map((row) => ({ ...row, stop: decision, stops }))
  await saveBoard(temporary.db, { ...board, rows }, { ledgerSequence: 0, now: NOW })
  const data = expect.stringMatching(/^decided after 4 of 8 episodes, \$2.* saved.*: better by 100/)
  expect(await listed()).toMatchObject([{ status: 'done', planned: 4, owed: 2, reason: data }])
  expect(await readRunState(SAMPLE_RUN_ID)).toMatchObject({ owed: 2, reason: data })
})
