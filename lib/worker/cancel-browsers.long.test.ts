import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { database } from '#lib/db/database.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import {
  processesOf,
  type RealQueue,
  realQueue,
  waitUntilTrue,
} from '#lib/testing/factories/real-queue.ts'
import { unpackEnvelope } from '../db/stored-episode.ts'
import { cancelJob } from '../server/queue/change-job.ts'

const CONSOLE = { kind: 'console', id: null, name: 'console' } as const

let queue: RealQueue
beforeAll(async () => {
  process.env.PROOFBOARD_CONCURRENCY = '4'
  queue = await realQueue()
})
afterAll(() => queue.close())

function browsersOf(runId: string): number[] {
  return processesOf(runId).filter((pid) => /chrom/i.test(commandOf(pid)))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

it('two browser jobs work beside one another; cancelling one ends its browsers and leaves the other alone', {
  tags: 'chromium',
  timeout: 400_000,
}, async () => {
  const payload = { suiteId: 'browser', subject: 'playwright', repetitions: 20, concurrency: 2 }
  const [one, other] = [
    await enqueueJob(database(), payload, new Date()),
    await enqueueJob(database(), payload, new Date()),
  ]
  const worker = queue.startWorker()
  const runOf = async (jobId: string) => (await queue.job(jobId)).newRunId ?? 'none'
  for (const jobId of [one, other]) {
    const bothWork = async () => browsersOf(await runOf(jobId)).length >= 4
    await waitUntilTrue(`browsers of ${jobId} are at work`, bothWork, 120_000)
  }
  const [stopped, left] = [await runOf(one), await runOf(other)]
  const requestedAt = performance.now()
  await cancelJob(one, { actor: CONSOLE, now: new Date() })
  await waitUntilTrue('its processes are gone', () => processesOf(stopped).length === 0)
  const gone = Math.round(performance.now() - requestedAt)
  await queue.untilStatus(one, 'cancelled')
  const released = Math.round(performance.now() - requestedAt)
  process.stdout.write(
    `cancel of a browser job: processes gone ${gone} ms, job released ${released} ms\n`,
  )
  expect(browsersOf(left).length).toBeGreaterThan(0)
  const sealed = () => database().episode.count({ where: { runId: left } })
  const before = await sealed()
  await waitUntilTrue('the other goes on', async () => (await sealed()) > before, 120_000)
  const voids = await database().episode.findMany({ where: { runId: left, status: 'void' } })
  expect(voids.map(({ envelope }) => JSON.parse(unpackEnvelope(envelope)).outcome.reason)).toEqual(
    [],
  )
  await cancelJob(other, { actor: CONSOLE, now: new Date() })
  await queue.untilStatus(other, 'cancelled')
  expect(processesOf(left)).toEqual([])
  worker.child.kill('SIGTERM')
  await worker.ended
})
