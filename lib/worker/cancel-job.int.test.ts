import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { database } from '#lib/db/database.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { AppError } from '#lib/errors.ts'
import { asking, episodesOf, sealedInLedger } from '#lib/testing/cases/cancelled-job.ts'
import { holdingRunner } from '#lib/testing/factories/holding-runner.ts'
import {
  processesOf,
  QUEUE_SUITE,
  type RealQueue,
  realQueue,
  waitUntilTrue,
} from '#lib/testing/factories/real-queue.ts'
import { countProgress } from '../db/episode-store.ts'
import { unpackEnvelope } from '../db/stored-episode.ts'
import { cancelJob, resumeJob } from '../server/queue/change-job.ts'

let queue: RealQueue
beforeAll(async () => {
  // The real runner, except for the queries of a starting worker.
  queue = await realQueue({ runner: holdingRunner })
})
afterAll(() => queue.close())

/** Ends at once when the file `released` exists; otherwise it and a child outside its process group ignore SIGTERM. */
const stubborn = () =>
  `test -e ${join(queue.signs, 'released')} && exit 0; trap '' TERM; setsid sh -c "trap '' TERM; sleep 300" & sleep 300 & wait`

const refusals = (results: PromiseSettledResult<unknown>[]) =>
  results.filter((one) => one.status === 'rejected' && one.reason instanceof AppError).length

const cancelledSlots = async (runId: string) =>
  (await countProgress(database(), [runId])).get(runId)?.cancelled

it('stops a stubborn agent whole, keeps what was sealed, and goes on from there', async () => {
  const worker = queue.startHere()
  const { jobId, text } = await queue.enqueueCommand({ command: stubborn() })
  await queue.untilStatus(jobId, 'running')
  const runId = (await queue.job(jobId)).newRunId ?? ''
  await waitUntilTrue('the agent is at work', () => processesOf(runId).length >= 4)
  expect(readFileSync(join(queue.dataDir, 'runs', runId, 'plan.json'), 'utf8')).toBe(text)

  const requestedAt = performance.now()
  const answers = await Promise.allSettled([cancelJob(jobId, asking()), cancelJob(runId, asking())])
  expect(refusals(answers)).toBe(1)
  await waitUntilTrue('its processes are gone', () => processesOf(runId).length === 0)
  const gone = Math.round(performance.now() - requestedAt)
  const job = await queue.untilStatus(jobId, 'cancelled')
  const elapsedMs = Math.round(performance.now() - requestedAt)
  process.stdout.write(
    `cancel of a stubborn agent: processes gone ${gone} ms, job released ${elapsedMs} ms\n`,
  )
  expect(job).toMatchObject({ runId, reason: 'cancelled by an administrator' })
  const [stopped, ...rest] = await episodesOf(runId)
  expect(rest).toEqual([])
  expect(JSON.parse(unpackEnvelope(stopped?.envelope ?? ''))).toMatchObject({
    attempt: 1,
    outcome: { status: 'cancelled', reason: expect.stringContaining('stopped') },
  })
  expect(await cancelledSlots(runId)).toBe(1)
  expect(await sealedInLedger(runId)).toBe(1)
  expect(await database().auditEntry.findMany({ where: { target: runId } })).toMatchObject([
    { action: 'run.cancel', actor: 'ada@example.org', requestId: 'r1' },
  ])

  writeFileSync(join(queue.signs, 'released'), '')
  const resumed = await Promise.allSettled([resumeJob(runId, asking()), resumeJob(jobId, asking())])
  expect(refusals(resumed)).toBe(1)
  expect(resumed.find((one) => one.status === 'fulfilled')).toMatchObject({
    value: 'Queued again. Runs 2 of 2 episodes; none are finished yet.',
  })
  expect(await queue.untilStatus(jobId, 'done')).toMatchObject({ runId, reason: null })
  const episodes = await episodesOf(runId)
  const ends = episodes
    .map(({ taskId, attempt, status }) => `${taskId} ${attempt} ${status}`)
    .sort()
  const other = stopped?.taskId === 'lru-cache' ? 'rate-limiter' : 'lru-cache'
  expect(ends).toEqual(
    [
      `${stopped?.taskId} 1 cancelled`,
      `${stopped?.taskId} 2 unsolved`,
      `${other} 1 unsolved`,
    ].sort(),
  )
  expect(await cancelledSlots(runId)).toBe(0)
  expect(await sealedInLedger(runId)).toBe(2)
  await expect(cancelJob(jobId, asking())).rejects.toThrow('Nothing to cancel: it was done')
  await expect(resumeJob(jobId, asking())).rejects.toThrow('All planned episodes are finished')
  await worker.stop()
})

describe('a cancel at an awkward moment', () => {
  it('of a queued job takes it out at once', async () => {
    const payload = { suiteId: QUEUE_SUITE, subject: 'nop', repetitions: 1 }
    const jobId = await enqueueJob(database(), payload, new Date())
    expect(await cancelJob(jobId, asking())).toContain('Removed from the queue before it started')
    expect(await queue.job(jobId)).toMatchObject({ status: 'cancelled', newRunId: null })
    expect(await resumeJob(jobId, asking())).toContain('Freezes the plan')
    await cancelJob(jobId, asking())
  })
})
