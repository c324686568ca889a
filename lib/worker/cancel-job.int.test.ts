import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { database } from '#lib/db/database.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { listLedger } from '#lib/db/ledger-store.ts'
import type { Actor } from '#lib/domain/accounts/index.ts'
import { AppError } from '#lib/errors.ts'
import {
  processesOf,
  QUEUE_SUITE,
  type RealQueue,
  realQueue,
  waitUntilTrue,
} from '#lib/testing/factories/real-queue.ts'
import { cancelJob, resumeJob } from './change-job.ts'

const ADMIN: Actor = { kind: 'user', id: 'u1', name: 'ada@example.org', role: 'admin' }
const asking = () => ({ actor: ADMIN, now: new Date(), requestId: 'r1' })

let queue: RealQueue
beforeAll(async () => {
  queue = await realQueue()
})
afterAll(() => queue.close())

/** Ends at once when the file `released` is there; else it and a child that left its group ignore SIGTERM for long. */
const stubborn = () =>
  `test -e ${join(queue.signs, 'released')} && exit 0; trap '' TERM; setsid sh -c "trap '' TERM; sleep 300" & sleep 300 & wait`

/**
 * A runner that freezes no plan until somebody calls `go`: a real one is done sooner than a busy machine looks. It does
 * everything else, and all of it afterwards, as the real one.
 */
function slowToFreeze(): { settings: Record<string, string>; go: () => void } {
  const [runner, sign] = [join(queue.signs, 'runner.mjs'), join(queue.signs, 'go')]
  const real = pathToFileURL(resolve('runner/cli/proofboard.mjs')).href
  const waits = `process.argv[2] === 'plan' && !existsSync(${JSON.stringify(sign)})`
  const source = `import { existsSync } from 'node:fs'
while (${waits}) await new Promise((resolve) => setTimeout(resolve, 20))
await import(${JSON.stringify(real)})
`
  writeFileSync(runner, source)
  return { settings: { PROOFBOARD_RUNNER: runner }, go: () => writeFileSync(sign, '') }
}

const episodesOf = (runId: string) =>
  database().episode.findMany({ where: { runId }, orderBy: { attempt: 'asc' } })
const refusals = (results: PromiseSettledResult<unknown>[]) =>
  results.filter((one) => one.status === 'rejected' && one.reason instanceof AppError).length

async function sealedInLedger(runId: string): Promise<number> {
  const entries = await listLedger(database())
  return entries.filter(({ action }) => action.kind === 'seal-run' && action.target === runId)
    .length
}

it('stops a stubborn agent whole, keeps what was sealed, and goes on from there', async () => {
  const worker = queue.startWorker()
  const { jobId, text } = await queue.enqueueCommand({ command: stubborn() })
  await queue.untilStatus(jobId, 'running')
  const runId = (await queue.job(jobId)).newRunId ?? ''
  await waitUntilTrue('the agent is at work', () => processesOf(runId).length >= 4)
  expect(readFileSync(join(queue.dataDir, 'runs', runId, 'plan.json'), 'utf8')).toBe(text)

  const asked = performance.now()
  const answers = await Promise.allSettled([cancelJob(jobId, asking()), cancelJob(runId, asking())])
  expect(refusals(answers)).toBe(1)
  await waitUntilTrue('its processes are gone', () => processesOf(runId).length === 0)
  const gone = Math.round(performance.now() - asked)
  const job = await queue.untilStatus(jobId, 'cancelled')
  const told = Math.round(performance.now() - asked)
  process.stdout.write(
    `cancel of a stubborn agent: processes gone ${gone} ms, job released ${told} ms\n`,
  )
  expect(job).toMatchObject({ runId, reason: 'cancelled by an administrator' })
  const [stopped, ...rest] = await episodesOf(runId)
  expect(rest).toEqual([])
  expect(JSON.parse(stopped?.envelope ?? '')).toMatchObject({
    attempt: 1,
    outcome: { status: 'cancelled', reason: expect.stringContaining('stopped') },
  })
  expect(await sealedInLedger(runId)).toBe(1)
  expect(await database().auditEntry.findMany({ where: { target: runId } })).toMatchObject([
    { action: 'run.cancel', actor: 'ada@example.org', requestId: 'r1' },
  ])

  writeFileSync(join(queue.signs, 'released'), '')
  const resumed = await Promise.allSettled([resumeJob(runId, asking()), resumeJob(jobId, asking())])
  expect(refusals(resumed)).toBe(1)
  expect(resumed.find((one) => one.status === 'fulfilled')).toMatchObject({
    value: 'In the queue again. Runs 2 of 2 episodes; none are finished yet.',
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
  expect(await sealedInLedger(runId)).toBe(2)
  await expect(cancelJob(jobId, asking())).rejects.toThrow('Nothing to cancel: it was done')
  await expect(resumeJob(jobId, asking())).rejects.toThrow('All planned episodes are finished')
  worker.child.kill('SIGTERM')
  await worker.ended
}, 180_000)

describe('a cancel at an awkward moment', () => {
  it('of a queued job takes it out at once', async () => {
    const payload = { suiteId: QUEUE_SUITE, subject: 'nop', repetitions: 1 }
    const jobId = await enqueueJob(database(), payload, new Date())
    expect(await cancelJob(jobId, asking())).toContain('Removed from the queue before it started')
    expect(await queue.job(jobId)).toMatchObject({ status: 'cancelled', newRunId: null })
    expect(await resumeJob(jobId, asking())).toContain('Freezes the plan')
    await cancelJob(jobId, asking())
  })

  it('while the plan is being frozen leaves no half plan', async () => {
    const payload = { suiteId: QUEUE_SUITE, subject: 'nop', repetitions: 1 }
    const jobId = await enqueueJob(database(), payload, new Date())
    const { settings, go } = slowToFreeze()
    const worker = queue.startWorker(settings)
    await waitUntilTrue('it is claimed', async () => (await queue.job(jobId)).status === 'running')
    await cancelJob(jobId, asking())
    const job = await queue.untilStatus(jobId, 'cancelled')
    const files = readdirSync(join(queue.dataDir, 'runs', job.newRunId ?? ''))
    expect(files.filter((name) => name.includes('plan'))).toEqual([])
    go()
    await resumeJob(jobId, asking())
    await queue.untilStatus(jobId, 'done')
    worker.child.kill('SIGTERM')
    await worker.ended
  }, 120_000)

  it('after its worker was killed is carried out by the next one, and sealed episodes are stored', async () => {
    const lasting = `test "$PWD" != "\${PWD#*nowhere}" || { test -e ${queue.signs}/first || { touch ${queue.signs}/first; exit 0; }; sleep 300; }`
    const first = queue.startWorker()
    const { jobId } = await queue.enqueueCommand({ command: lasting })
    await queue.untilStatus(jobId, 'running')
    const runId = (await queue.job(jobId)).newRunId ?? ''
    await waitUntilTrue('one is sealed', async () => (await episodesOf(runId)).length === 1)
    await waitUntilTrue('the second is at work', () => processesOf(runId).length >= 2)
    first.child.kill('SIGKILL')
    await first.ended
    await cancelJob(jobId, asking())
    const second = queue.startWorker()
    const job = await queue.untilStatus(jobId, 'cancelled')
    expect(job.reason).toBe('cancelled by an administrator')
    expect(processesOf(runId)).toEqual([])
    expect((await episodesOf(runId)).map(({ status }) => status).sort()).toEqual([
      'cancelled',
      'unsolved',
    ])
    expect(await sealedInLedger(runId)).toBe(1)
    second.child.kill('SIGTERM')
    await second.ended
  }, 120_000)
})
