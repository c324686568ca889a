import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { database } from '#lib/db/database.ts'
import { findRemoteRun } from '#lib/db/remote-run-store.ts'
import { getMachines } from '#lib/server/remote/machines.ts'
import { type RemoteTest, startRemoteTest } from '#lib/testing/cases/remote-runs.ts'
import { waitUntilTrue } from '#lib/testing/factories/real-queue.ts'
import { startSlurm } from '#lib/testing/factories/real-slurm.ts'
import { lacking } from '#lib/testing/needs.ts'
import { listProcesses } from '#runner/sandbox/process/list-processes.ts'

const slurm = await startSlurm()
const reason = typeof slurm === 'string' ? slurm : null
const shared = typeof slurm === 'string' ? '' : slurm.shared
let test: RemoteTest

beforeAll(async () => {
  if (typeof slurm === 'string') return
  process.env.SLURM_CONF = slurm.env.SLURM_CONF
  test = await startRemoteTest()
  test.configure({ slurm: { folder: shared, shards: 2, cpus: 1, memory: '500M', poll: 0.5 } })
})
afterAll(async () => {
  await test?.close()
  delete process.env.SLURM_CONF
  if (typeof slurm !== 'string') await slurm.stop()
})

const agent = (sign: string) => [
  ...['--command', `while [ ! -e ${sign} ]; do sleep 0.2; done`],
  ...['--name', 'test-agent', '--subject-version', '1.0.0'],
]
const parts = async (runId: string) => (await findRemoteRun(database(), runId))?.parts ?? []
/** Creates the images that a node has before a shard starts. */
const createImages = (runId: string) => {
  for (const shard of [1, 2]) test.layImage(join(shared, runId, `data-${shard}`))
}

/** Returns whether it is the shard itself, not the script that waits for it. */
function isWork(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('proofboard.mjs\0work')
}

describe('a plan as an array job of a real Slurm', lacking(reason && `Slurm: ${reason}`), () => {
  it('a task that is killed is requeued by itself: what it began is void, nothing is doubled', async () => {
    const sign = join(test.signs, 'go')
    const { runId, ending } = await test.start('slurm', agent(sign))
    createImages(runId)
    const areAtWork = async () => {
      const all = await parts(runId)
      return all.length === 2 && all.every(({ journal }) => journal.join().includes('"subject"'))
    }
    await waitUntilTrue('both tasks are at work', areAtWork, 180_000)
    for (const { pid, environment } of listProcesses())
      if (environment.includes('SLURM_ARRAY_TASK_ID=1') && isWork(pid)) process.kill(pid, 'SIGKILL')
    await waitUntilTrue(
      'it is tried again',
      async () => (await parts(runId))[0]?.tries === 2,
      180_000,
    )
    writeFileSync(sign, '')
    expect(await ending).toMatchObject({ status: 'done', reason: null })
    expect(await test.episodes(runId)).toEqual([
      ['lru-cache', 1, 'void'],
      ['lru-cache', 2, 'unsolved'],
      ['rate-limiter', 1, 'unsolved'],
    ])
    expect((await getMachines(runId))?.machines).toMatchObject([
      { number: 1, state: 'done', tries: 2, host: 'proofboard' },
      { number: 2, state: 'done', tries: 1, host: 'proofboard' },
    ])
  }, 600_000)
})
