import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { planQueue } from '#lib/domain/runs/index.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { readClock } from './database.ts'
import {
  claimJob,
  countWorkers,
  isWorkerAlive,
  lastHeartbeat,
  listAliveWorkers,
  recoverJobs,
  releaseJob,
  removeWorker,
  renewLease,
  saveHeartbeat,
} from './job-lease.ts'
import { enqueueJob, findJob, listQueuedJobs, listRunningClaims, queueState } from './job-store.ts'
import { openDb } from './open-db.ts'
import { inTransaction } from './transaction.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
})
afterEach(() => temporary.close())

const NOW = new Date()
const later = (ms: number) => new Date(NOW.getTime() + ms)
const PAYLOAD = { suiteId: 'sample', subject: 'reference', repetitions: 1 }
let runs = 0
const claim = (owner: string, db = temporary.db) =>
  claimJob(db, {
    owner,
    leaseMs: 1000,
    newRunId: `run_${String(++runs).padStart(8, '0')}`,
  })
const ALIVE = () => false
const DEAD = () => true

describe('the queue', () => {
  it('gives each job to exactly one of many claimers, oldest first', async () => {
    const { db } = temporary
    const other = openDb(temporary.place)
    for (let place = 0; place < 20; place++) await enqueueJob(db, PAYLOAD, later(place))
    const claims = await Promise.all(
      Array.from({ length: 30 }, (_, index) => claim(`w${index}`, index % 2 ? db : other)),
    )
    await other.$disconnect()
    const ids = claims.flatMap((job) => job?.jobId ?? [])
    expect(new Set(ids).size).toBe(20)
    expect(ids).toHaveLength(20)
    expect(await queueState(db)).toEqual({ queued: 0, running: 20, oldestQueuedAt: null })
  })

  it('keeps the order of jobs that were queued in one millisecond', async () => {
    const ids: string[] = []
    for (let place = 0; place < 12; place++) ids.push(await enqueueJob(temporary.db, PAYLOAD, NOW))
    const queued = await listQueuedJobs(temporary.db)
    expect(queued.map(({ jobId }) => jobId)).toEqual(ids)
  })

  it('keeps the run that a job was given through every later claim', async () => {
    const jobId = await enqueueJob(temporary.db, PAYLOAD, NOW)
    const first = await claim('a')
    await releaseJob(temporary.db, { jobId, owner: 'a' }, { status: 'queued', tries: 2 })
    const second = await claim('b')
    expect(second).toMatchObject({
      newRunId: first?.newRunId,
      tries: 2,
      startedAt: first?.startedAt,
    })
  })

  it('dates a claim by when it takes the job, not by when it began to wait', async () => {
    await enqueueJob(temporary.db, PAYLOAD, NOW)
    let claiming: ReturnType<typeof claim> | undefined
    const other = openDb(temporary.place)
    const released = await inTransaction(other, async () => {
      claiming = claim('a')
      await pause(200)
      return new Date()
    })
    await other.$disconnect()
    expect(Date.parse((await claiming)?.startedAt ?? '')).toBeGreaterThanOrEqual(released.getTime())
  })

  it('recovers a job whose lease ran out, and its former holder learns of it', async () => {
    const { db } = temporary
    const jobId = await enqueueJob(db, PAYLOAD, NOW)
    await claim('a')
    expect(await recoverJobs(db, later(500), ALIVE)).toBe(0)
    expect(await renewLease(db, { jobId, owner: 'a' }, later(1500))).toBe(true)
    expect(await recoverJobs(db, later(1200), ALIVE)).toBe(0)
    expect(await recoverJobs(db, later(1501), ALIVE, [jobId])).toBe(0) // this worker still runs it
    expect(await recoverJobs(db, later(1501), ALIVE)).toBe(1)
    await claim('b')
    expect(await renewLease(db, { jobId, owner: 'a' }, later(9000))).toBe(false)
    const ending = { status: 'done', reason: null, now: NOW } as const
    expect(await releaseJob(db, { jobId, owner: 'a' }, ending)).toBe(false)
    expect((await findJob(db, jobId))?.status).toBe('running')
    expect(await releaseJob(db, { jobId, owner: 'b' }, ending)).toBe(true)
    expect((await findJob(db, jobId))?.status).toBe('done')
  })

  it('recovers at once when the process of the holder is gone', async () => {
    const { db } = temporary
    await saveHeartbeat(db, { id: 'a', pid: 4_000_000 }, NOW)
    await enqueueJob(db, PAYLOAD, NOW)
    await claim('a')
    expect(await recoverJobs(db, NOW, ALIVE)).toBe(0)
    expect(await recoverJobs(db, NOW, DEAD)).toBe(1)
  })

  it('counts a try for each worker that is gone, unless the job runs on other machines', async () => {
    const { db } = temporary
    const here = await enqueueJob(db, PAYLOAD, NOW)
    const remote = { executor: 'slurm', shards: 2 } as const
    const elsewhere = await enqueueJob(db, { ...PAYLOAD, remote }, NOW)
    for (let time = 0; time < 2; time++) {
      await claim('a')
      await claim('a')
      expect(await recoverJobs(db, later(3_600_000), ALIVE)).toBe(2)
    }
    expect((await findJob(db, here))?.tries).toBe(2)
    expect((await findJob(db, elsewhere))?.tries).toBe(0)
  })
})

it('measures leases by the clock of the server, however wrong that of a host is', {
  tags: 'on-postgresql',
}, async () => {
  const { db } = temporary
  const before = await readClock(db)
  vi.useFakeTimers({ toFake: ['Date'], now: before.getTime() + 60_000 })
  try {
    const now = await readClock(db)
    expect(now.getTime() - before.getTime()).toBeLessThan(30_000)
    await enqueueJob(db, PAYLOAD, NOW)
    const limits = { concurrency: 4, providers: new Map() }
    await claimJob(db, { owner: 'a', leaseMs: 20_000, newRunId: 'run_clock0001', limits })
    expect(await recoverJobs(db, await readClock(db), ALIVE)).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

it.each([2 * 3_600_000, 365 * 86_400_000])(
  'a worker that ended while the clock was %i ms ahead is not alive once it is right again',
  async (ahead) => {
    const { db } = temporary
    const now = await readClock(db)
    await saveHeartbeat(db, { id: 'ended', pid: 1 }, new Date(now.getTime() + ahead))
    expect(isWorkerAlive(-ahead)).toBe(false)
    expect([await lastHeartbeat(db, now), await countWorkers(db, now)]).toEqual([null, 0])
    expect(await listAliveWorkers(db)).toEqual([])
    await saveHeartbeat(db, { id: 'works', pid: 2 }, now)
    // Another host's clock may be slightly ahead.
    await saveHeartbeat(db, { id: 'beside', pid: 3 }, new Date(now.getTime() + 1000))
    expect((await lastHeartbeat(db, now))?.getTime()).toBe(now.getTime() + 1000)
    expect(await countWorkers(db, now)).toBe(2)
    await removeWorker(db, 'works')
    const left = await db.worker.findMany({ select: { id: true }, orderBy: { id: 'asc' } })
    const isForgotten = ahead > 86_400_000
    expect(left.map(({ id }) => id)).toEqual(isForgotten ? ['beside'] : ['beside', 'ended'])
  },
)

describe('the job that is taken', () => {
  it('is the first that the whole queue would start, in queues of several providers', async () => {
    const { db } = temporary
    const limits = {
      concurrency: 8,
      providers: new Map([
        ['*', 2],
        ['paused', 0],
      ]),
    }
    const requested = ['paused', 'openai', null, 'openai', 'anthropic', 'paused', null, 'openai']
    for (const [place, provider] of requested.entries()) {
      const payload = { ...PAYLOAD, concurrency: 1 + (place % 3) }
      await enqueueJob(db, payload, later(place), { provider, priority: place % 2 })
    }
    const remote = { executor: 'slurm', shards: 2 } as const
    for (const place of [100, 101]) await enqueueJob(db, { ...PAYLOAD, remote }, later(place))
    for (;;) {
      const places = planQueue(await listRunningClaims(db), await listQueuedJobs(db), limits)
      const expected = places.find(({ wait }) => wait === null)?.jobId ?? null
      const newRunId = `run_${String(++runs).padStart(8, '0')}`
      const taken = await claimJob(db, { owner: 'w', leaseMs: 1000, newRunId, limits })
      expect(taken?.jobId ?? null).toBe(expected)
      if (taken === null) break
    }
    expect((await queueState(db)).running).toBeGreaterThan(1)
  })
})
