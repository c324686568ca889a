import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { saveRun } from '#lib/db/run-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { settleEnv } from '#lib/env.ts'
import { stagingRoot } from '#lib/server/ingest/evidence-staging.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { sampleSuite } from '#lib/testing/factories/sample-record.ts'
import { sampleEpisode, samplePlan } from '#lib/testing/factories/samples.ts'
import { followEvaluations } from './follow-evaluations.ts'

const temporary = databaseForEach()

it('does not wait for the files of one run with the others of its sender', async () => {
  const { db, dir } = temporary
  const runner = join(dir, 'runner.mjs')
  writeFileSync(runner, `console.log('{"kind":"verifier","verifier":null,"why":null}')`)
  vi.stubEnv('PROOFBOARD_RUNNER', runner)
  settleEnv(process.cwd())
  await saveSuite(db, { ...sampleSuite(), digest: samplePlan().suiteDigest }, new Date())
  const { subject } = sampleEpisode()
  const driven = { ...subject, modelRequested: 'model-x', modelObserved: ['model-x'] }
  const send = async (runId: string, at: string, changes: object) => {
    const plan = samplePlan()
    await saveRun(db, { runId, plan, provenance: 'manual', jobId: null }, new Date(at))
    const episode = sampleEpisode({ runId, ...changes }, plan)
    const receipt = { provenance: 'manual', directory: null, receivedAt: new Date(at) } as const
    await saveEpisode(db, JSON.stringify(episode), receipt)
    return episode.episodeId
  }
  // Looks like an upload that is being moved, so a model's evidence may still arrive.
  mkdirSync(join(stagingRoot(), '17-0011@old-container'), { recursive: true })
  await send('run_waiting000', '2026-01-01T00:00:00.000Z', { mode: 'live', subject: driven })
  const second = await send('run_other00000', '2026-01-02T00:00:00.000Z', { repetition: 2 })
  const stop = new AbortController()
  const boards = { request: () => {} } as never
  const following = followEvaluations({ db, boards, workerId: 'w', signal: stop.signal })
  await vi.waitUntil(async () => (await db.evaluation.count()) > 0, {
    timeout: 30_000,
    interval: 100,
  })
  stop.abort()
  await following
  expect((await db.evaluation.findMany()).map(({ episodeId }) => episodeId)).toEqual([second])
})
