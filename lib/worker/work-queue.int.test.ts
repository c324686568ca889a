import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { database } from '#lib/db/database.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { holdingRunner, holdUntil } from '#lib/testing/factories/holding-runner.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import {
  processesOf,
  QUEUE_SUITE,
  type RealQueue,
  realQueue,
  type WorkerHere,
  waitUntilTrue,
} from '#lib/testing/factories/real-queue.ts'
import { getQueue } from '../server/queue/get-queue.ts'

let queue: RealQueue
/** The second test needs one of them, the third none. */
const workers: WorkerHere[] = []
beforeAll(async () => {
  process.env.PROOFBOARD_CONCURRENCY = '3'
  process.env.PROOFBOARD_PROVIDER_CONCURRENCY = '2'
  queue = await realQueue({ tasks: ['lru-cache'], runner: holdingRunner })
})
afterAll(() => queue.close())

const marker = (name: string) => join(queue.signs, name)
const statuses = async () =>
  Object.fromEntries((await database().job.findMany()).map(({ id, status }) => [id, status]))

it('runs jobs beside one another within the limits of machine and provider, with several workers', async () => {
  const request = { command: holdUntil(marker('open')), provider: 'acme' }
  const a = await queue.enqueueCommand(request)
  const b = await queue.enqueueCommand(request)
  const c = await queue.enqueueCommand(request)
  const d = await queue.enqueueCommand({ command: holdUntil(marker('open')) })
  const wide = await queue.enqueueCommand({ command: holdUntil(marker('open')), concurrency: 64 })
  const last = await queue.enqueueCommand({ command: holdUntil(marker('open')) })
  workers.push(queue.startHere(), queue.startHere())
  const expected = { [a.jobId]: 'running', [b.jobId]: 'running', [d.jobId]: 'running' }
  await waitUntilTrue('three run', async () => (await getQueue(new Date())).running.length === 3)
  await pause(2000) // long enough for either worker to exceed a limit
  expect(await statuses()).toEqual({
    ...expected,
    [c.jobId]: 'queued',
    [wide.jobId]: 'queued',
    [last.jobId]: 'queued',
  })
  const view = await getQueue(new Date())
  expect(view).toMatchObject({
    machine: { used: 3, limit: 3 },
    providers: [{ provider: 'acme', used: 2, limit: 2 }],
    workersAlive: 2,
  })
  expect(view.waiting.map(({ jobId, wait }) => [jobId, wait?.kind])).toEqual([
    [c.jobId, 'provider'],
    [wide.jobId, 'machine'],
    [last.jobId, 'line'],
  ])
  const holders = new Set(view.running.map(({ leaseOwner }) => leaseOwner))
  expect(holders.size).toBeGreaterThanOrEqual(1)

  writeFileSync(marker('open'), '')
  for (const { jobId } of [a, b, c, d, wide, last]) await queue.untilStatus(jobId, 'done')
  const [first, second] = await Promise.all([queue.job(wide.jobId), queue.job(last.jobId)])
  expect((second.startedAt ?? '') >= (first.endedAt ?? '')).toBe(true)
  await workers[1]?.stop()
}, 400_000)

it('a plan that does not match the digest it was queued with is refused, and no part of it runs', async () => {
  const { text } = await queue.enqueueCommand({ command: 'true', priority: -1 })
  const payload = { suiteId: QUEUE_SUITE, subject: 'test-agent', repetitions: 1 }
  const planDigest = `sha256:${'0'.repeat(64)}`
  const frozen = { plan: text, planDigest }
  const jobId = await enqueueJob(database(), payload, new Date(), { frozen })
  const job = await queue.untilStatus(jobId, 'failed')
  expect(job.reason).toContain('queue it again')
  expect(existsSync(join(queue.dataDir, 'runs', job.newRunId ?? '', 'plan.json'))).toBe(false)
  await workers[0]?.stop()
})

it('the console lists, moves, cancels and resumes', async () => {
  const say = async (...args: string[]) => {
    const { code, stdout, stderr } = await proofboardHere(queue.dataDir, ['queue', ...args])
    return { code, said: (stdout + stderr).trim() }
  }
  const { jobId } = await queue.enqueueCommand({ command: holdUntil(marker('never')) })
  const { jobId: other } = await queue.enqueueCommand({ command: holdUntil(marker('never')) })
  expect(await say('priority', other, 'front')).toMatchObject({ code: 0 })
  const listed = await proofboardHere(queue.dataDir, ['queue', 'list', '--json'])
  const { waiting } = lastJson(listed.stdout) as { waiting: { jobId: string }[] }
  const [first, second] = waiting
    .map((one) => one.jobId)
    .filter((id) => [jobId, other].includes(id))
  expect([first, second]).toEqual([other, jobId])
  expect(await say('priority', jobId, '9999')).toMatchObject({ code: 2 })
  expect(await say('cancel', jobId)).toMatchObject({ code: 0 })
  expect(await say('cancel', jobId)).toMatchObject({
    code: 1,
    said: expect.stringContaining('Nothing to cancel'),
  })
  expect(await say('cancel', 'job_nowhere')).toMatchObject({ code: 1 })
  expect(await say('resume', jobId)).toMatchObject({
    code: 0,
    said: expect.stringContaining('Runs 1 of 1 episode'),
  })
  for (const id of [jobId, other]) expect(await say('cancel', id)).toMatchObject({ code: 0 })
  const audit = await database().auditEntry.findMany({ where: { target: jobId } })
  expect(audit.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
    'run.cancel console',
    'run.resume console',
    'run.cancel console',
  ])
})

it('runs share nothing: each has its own log, folder and processes', async () => {
  const runs = await database().run.findMany()
  for (const { runId } of runs) {
    expect(processesOf(runId)).toEqual([])
    const log = readFileSync(join(queue.dataDir, 'runs', runId, 'runner.log'), 'utf8')
    const named = new Set([...log.matchAll(/"runId":"(run_[0-9a-z]+)"/g)].map(([, id]) => id))
    expect([...named]).toEqual([runId])
  }
})
