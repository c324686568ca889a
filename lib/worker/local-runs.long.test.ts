import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBoard } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import {
  QUEUE_SUITE,
  type RealQueue,
  type RealWorker,
  realQueue,
  waitUntilTrue,
} from '#lib/testing/factories/real-queue.ts'

let queue: RealQueue
let worker: RealWorker
beforeAll(async () => {
  queue = await realQueue()
  worker = queue.startWorker({ PORT: '4321' })
  await waitUntilTrue(
    'the worker knows the suite',
    async () => (await findSuite(database(), QUEUE_SUITE)) !== null,
    120_000,
  )
}, 150_000)
afterAll(() => queue.close(), 60_000)

const LIMIT = 240_000
const run = (...args: string[]) =>
  startProofboard(queue.dataDir, ['run', '--suite', QUEUE_SUITE, ...args])
const rows = async () => {
  const suite = await findSuite(database(), QUEUE_SUITE)
  return (suite && (await findBoard(database(), suite.digest)))?.board.rows ?? []
}
const notices = () => {
  const folder = join(queue.dataDir, 'local-runs')
  return existsSync(folder) ? readdirSync(folder) : []
}

type Answer = { runId: string; board: { isServed: boolean; rows: { url: string }[] } }

it(
  'shows two runs of the command line at once while the server works, at its address, without a restart',
  async () => {
    const ends = await Promise.all(
      ['reference', 'nop'].map((subject) => run('--subject', subject, '--json').ended),
    )
    for (const { code, stdout, stderr } of ends) {
      expect(code, stderr).toBe(0)
      const { runId, board } = lastJson(stdout) as Answer
      expect(board.isServed).toBe(true)
      const row = (await rows()).find(({ runIds }) => runIds.includes(runId))
      expect(board.rows[0]?.url).toBe(`http://localhost:4321/?suite=queue&open=${row?.rowId}`)
      expect(row?.registration?.status).toBe('registered')
    }
    expect(notices()).toEqual([])
    expect(await database().episode.count()).toBe(4)
  },
  LIMIT,
)

it(
  'stores episodes as they are sealed, and keeps what a killed run has done, once',
  async () => {
    // Its first task ends at once, its second never does.
    const command = 'if [ "$PROOFBOARD_TASK" = lru-cache ]; then exit 0; else sleep 600; fi'
    const { child, ended } = run('--command', command, '--name', 'slow', '--isolation', 'local')
    const stored = () => database().episode.count({ where: { subject: { is: { name: 'slow' } } } })
    await waitUntilTrue('its first episode is stored', async () => (await stored()) === 1, LIMIT)
    child.kill('SIGKILL')
    await ended
    await waitUntilTrue('the run is closed', () => notices().length === 0, LIMIT)
    expect(await stored()).toBe(1)
    const seals = await database().ledgerEntry.count({ where: { kind: 'seal-run' } })
    expect(seals).toBe(3)
    await waitUntilTrue(
      'its row stands there',
      async () => (await rows()).some(({ subject }) => subject.name === 'slow'),
      LIMIT,
    )
    expect(worker.child.exitCode).toBeNull()
  },
  LIMIT,
)
