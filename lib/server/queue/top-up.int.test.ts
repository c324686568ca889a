import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { findJob } from '#lib/db/job-store.ts'
import { saveRun } from '#lib/db/run-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import type { Actor } from '#lib/domain/accounts/index.ts'
import { digestPlan, type EpisodeBody, planSchema } from '#lib/domain/record/index.ts'
import { AppError } from '#lib/errors.ts'
import { getRun } from '#lib/server/runs/runs.ts'
import {
  SAMPLE_RUN_ID,
  sampleEpisode,
  samplePlan,
  sampleSuite,
} from '#lib/testing/factories/samples.ts'
import { refreshBoard } from '../../db/refresh-board.ts'
import { cancelJob } from './change-job.ts'
import { getRunOffers, rerun, topUp } from './enqueue-plan.ts'

const ADMIN: Actor = { kind: 'user', id: 'u1', name: 'ada@example.org', role: 'admin' }
const asking = () => ({ actor: ADMIN, now: new Date() })
const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-topup-'))
const suite = sampleSuite()
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
})

type Change = Partial<EpisodeBody>
const voidBy = (fault: 'infrastructure' | 'provider'): Change => ({
  outcome: { status: 'void', fault, reason: 'trouble' },
  failureCategory: fault,
  contract: null,
  testSuccess: false,
  overallSuccess: false,
})
const failed: Change = {
  outcome: { status: 'unsolved', reason: 'tests failed' },
  failureCategory: 'test-failure',
  contract: { verdict: 'fail', assertions: [], expectedTests: 8, executedTests: 8, passedTests: 2 },
  testSuccess: false,
  overallSuccess: false,
}

/** alpha: failures of the harness and the provider; beta: a failure of the subject, and one missing. */
beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dataDir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await migrateDatabase()
  const db = database()
  const now = new Date('2026-01-01T00:00:00.000Z')
  await saveSuite(db, suite, now)
  await saveRun(db, { runId: SAMPLE_RUN_ID, plan, provenance: 'local', jobId: null }, now)
  const slots: [string, number, Change][] = [
    ['alpha', 1, voidBy('infrastructure')],
    ['alpha', 2, voidBy('provider')],
    ['beta', 1, failed],
  ]
  for (const [taskId, repetition, change] of slots) {
    const taskDigest = suite.tasks.find((task) => task.taskId === taskId)!.digest
    const at = { suiteDigest: suite.digest, taskId, taskDigest, repetition }
    const text = JSON.stringify(sampleEpisode({ ...at, ...change }, plan))
    await saveEpisode(db, text, { provenance: 'local', directory: null, receivedAt: now })
  }
  await refreshBoard(db, suite, now)
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dataDir, { recursive: true, force: true })
})

async function queued() {
  const rows = await database().job.findMany({ where: { status: 'queued' } })
  const jobs = await Promise.all(rows.map(({ id }) => findJob(database(), id)))
  return jobs.flatMap((job) => job ?? [])
}
const planned = (text: string | null) =>
  planSchema
    .parse(JSON.parse(text ?? ''))
    .tasks.map(({ taskId, repetitions }) => `${taskId} ${repetitions?.join()}`)
const offers = async () => getRunOffers((await getRun(SAMPLE_RUN_ID))!, new Date())

it('says in numbers what each action would do', async () => {
  expect(await offers()).toMatchObject({
    cancel: { refusal: 'The run was not started by this server.' },
    resume: { refusal: 'The run was not started by this server.' },
    topUp: { says: expect.stringMatching(/^Runs \d+ new episodes on 2 of 2 tasks/), refusal: null },
    rerun: { says: 'Runs 1 of 4 episodes again, as a new run.', refusal: null },
  })
})

it('reruns exactly what our machine spoilt, once, with an audit line', async () => {
  const both = await Promise.allSettled([
    rerun(SAMPLE_RUN_ID, asking()),
    rerun(SAMPLE_RUN_ID, asking()),
  ])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const [refused] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toBeInstanceOf(AppError)
  const [job, ...others] = await queued()
  expect(others).toEqual([])
  expect(planned(job?.plan ?? null)).toEqual(['alpha 3'])
  const frozen = planSchema.parse(JSON.parse(job?.plan ?? ''))
  expect(job?.planDigest).toBe(digestPlan(frozen))
  expect(frozen.topUpOf?.runIds).toEqual([SAMPLE_RUN_ID])
  expect(job).toMatchObject({ requestedBy: 'ada@example.org' })
  const audit = await database().auditEntry.findMany({ where: { target: job!.jobId } })
  expect(audit).toMatchObject([{ action: 'run.rerun', actor: 'ada@example.org' }])
  expect((await offers()).topUp.refusal).toBe('A top-up of this entry is already queued.')
  await expect(topUp({ runId: SAMPLE_RUN_ID }, { kind: 'aggregate' }, asking())).rejects.toThrow(
    'already queued',
  )
  await cancelJob(job!.jobId, asking())
})

it('tops up what a row lacks, by the run or by the row, never twice at a time', async () => {
  const goal = { kind: 'aggregate' } as const
  expect(await topUp({ runId: SAMPLE_RUN_ID }, goal, asking())).toMatch(/^Queued \d+ episodes on 2/)
  const [job] = await queued()
  expect(planned(job?.plan ?? null).map((line) => line.split(' ')[0])).toEqual(['alpha', 'beta'])
  const { rowId } = (await getRun(SAMPLE_RUN_ID))!.row!
  await expect(topUp({ rowId }, goal, asking())).rejects.toThrow('already queued')
  await cancelJob(job!.jobId, asking())
  await topUp({ rowId }, { kind: 'per-task' }, asking())
  expect(await queued()).toHaveLength(1)
})

it('refuses what is not known, and writes nothing', async () => {
  const before = await database().job.count()
  const goal = { kind: 'aggregate' } as const
  await expect(topUp({ rowId: 'row_nowhere' }, goal, asking())).rejects.toThrow('no row')
  await expect(topUp({ runId: 'run_nowhere' }, goal, asking())).rejects.toThrow('no run')
  await expect(rerun('run_nowhere', asking())).rejects.toThrow('No run')
  expect(await database().job.count()).toBe(before)
})
