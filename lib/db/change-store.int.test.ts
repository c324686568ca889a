import { beforeEach, expect, it } from 'vitest'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { samplePlan } from '#lib/testing/factories/samples.ts'
import { publicStamp } from './change-store.ts'
import {
  changeShard,
  createRemoteRun,
  replaceRunToken,
  type ShardChange,
  saveEngineId,
  tokenSender,
} from './remote-run-store.ts'

const kept = databaseForEach()
const runId = 'run_changes001'
const now = new Date('2026-01-01T00:00:00.000Z')

beforeEach(() =>
  createRemoteRun(
    kept.db,
    {
      runId,
      jobId: 'job',
      plan: samplePlan(),
      executor: 'slurm',
      shards: 2,
      ownsRun: true,
      tokenHash: 'hash',
      tokenExpiresAt: now,
      sender: tokenSender('slurm'),
    },
    now,
  ),
)

/** Returns whether a write invalidates cached pages. */
async function isSeen(write: () => Promise<unknown>): Promise<boolean> {
  const before = await publicStamp()
  await write()
  expect(before).not.toBeNull()
  return (await publicStamp()) !== before
}

const change = (to: ShardChange) => () => changeShard(kept.db, { runId, number: 2 }, to)

it('what a page shows of a shard on another machine is seen at once', async () => {
  const start = { state: 'running', tries: 1, host: 'node-2', startedAt: now } as const
  expect(await isSeen(change(start))).toBe(true)
  for (const [to, seen] of [
    [{ state: 'running', sealed: 1, reportedAt: now }, true],
    [{ state: 'running', sealed: 1, journal: ['{}'], reportedAt: new Date() }, false],
    [{ reason: 'the node is gone' }, true],
    [{ reason: null }, true],
    [{ host: 'node-3' }, true],
    [{ host: null }, true],
    [{ state: 'done', endedAt: now }, true],
  ] satisfies [ShardChange, boolean][])
    expect([to, await isSeen(change(to))]).toEqual([to, seen])
})

it('so is where its engine shows the run, and no change of its token', async () => {
  const engine = { engineId: '7', engineUrl: 'https://engine.example/7' }
  expect(await isSeen(() => saveEngineId(kept.db, runId, engine))).toBe(true)
  const token = { hash: 'another', expiresAt: now }
  expect(await isSeen(() => replaceRunToken(kept.db, runId, token))).toBe(false)
})
