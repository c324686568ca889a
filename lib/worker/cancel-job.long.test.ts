import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { database } from '#lib/db/database.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { asking, episodesOf, sealedInLedger } from '#lib/testing/cases/cancelled-job.ts'
import {
  processesOf,
  QUEUE_SUITE,
  type RealQueue,
  realQueue,
  waitUntilTrue,
} from '#lib/testing/factories/real-queue.ts'
import { cancelJob, resumeJob } from '../server/queue/change-job.ts'

let queue: RealQueue
beforeAll(async () => {
  queue = await realQueue()
})
afterAll(() => queue.close())

/**
 * A runner that freezes no plan until `go` is called, because a real one is faster than this test can look. Forwards
 * all else, and everything afterwards, to the real runner.
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

describe('a cancel at an awkward moment', () => {
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
