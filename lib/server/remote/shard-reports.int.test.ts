import { beforeEach, describe, expect, it } from 'vitest'
import { enqueueJob, requestCancel } from '#lib/db/job-store.ts'
import { findRegistrationOfRun } from '#lib/db/plan-store.ts'
import {
  changeShard,
  createRemoteRun,
  endLaunch,
  findRemoteRun,
  replaceRunToken,
  tokenSender,
} from '#lib/db/remote-run-store.ts'
import { findRun } from '#lib/db/run-store.ts'
import { canonicalJson } from '#lib/domain/digest/index.ts'
import { MAX_REPORT_BYTES, shardReplySchema } from '#lib/domain/executors/index.ts'
import {
  BUNDLE_KIND,
  type Episode,
  expandPlan,
  type Plan,
  slotKey,
} from '#lib/domain/record/index.ts'
import { createSecret, hashSecret } from '#lib/server/accounts/setup-links.ts'
import { shardReportRoute, shardResultsRoute } from '#lib/server/http/remote-route.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { sampleEpisode, samplePlan } from '#lib/testing/factories/samples.ts'

const kept = databaseForEach()
const HOUR_MS = 3_600_000
const runId = 'run_remote001'
let plan: Plan
let token = ''
let jobId = ''

/** Opens a run of two tasks and two repetitions in two shards, with a known token. */
async function openRemote(id = runId, secret = `pbr_${createSecret()}`): Promise<string> {
  const now = new Date()
  const { suiteId, subject, repetitions, planDigest } = plan
  const payload = {
    suiteId,
    subject: subject.name,
    repetitions,
    concurrency: 3,
    spendCapMicroUsd: 1000,
    remote: { executor: 'slurm' as const, shards: 2 },
  }
  const frozen = { plan: canonicalJson(plan), planDigest }
  jobId = await enqueueJob(kept.db, payload, now, { frozen })
  const expires = { hash: hashSecret(secret), expiresAt: new Date(now.getTime() + HOUR_MS) }
  await createRemoteRun(
    kept.db,
    {
      runId: id,
      jobId,
      plan,
      executor: 'slurm',
      shards: 2,
      ownsRun: true,
      tokenHash: hashSecret(createSecret()),
      tokenExpiresAt: now,
      sender: tokenSender('slurm'),
    },
    now,
  )
  await replaceRunToken(kept.db, id, expires)
  return secret
}

beforeEach(async () => {
  plan = samplePlan()
  token = await openRemote()
})

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const contextOf = (id: string) => ({ params: Promise.resolve({ runId: id }) })

async function report(body: unknown, { id = runId, secret = token, text = '' } = {}) {
  const headers = { 'content-type': 'application/json', ...bearer(secret) }
  const sent = { method: 'POST', headers, body: text || JSON.stringify(body) }
  const request = new Request(`http://localhost/api/v1/remote-runs/${id}/progress`, sent)
  const response = await shardReportRoute().POST(request, contextOf(id))
  return { status: response.status, body: await response.json() }
}

const start = async (shard: number) => {
  const { status, body } = await report({ event: 'started', shard, host: `node-${shard}` })
  expect(status).toBe(200)
  return shardReplySchema.parse(body)
}

const slotsOf = (shard: number) => expandPlan(plan, { index: shard, count: 2 })

function episodesOf(shard: number): Episode[] {
  return slotsOf(shard).map(({ taskId, taskDigest, repetition }) =>
    sampleEpisode({ runId, taskId, taskDigest, repetition }, plan),
  )
}

async function send(
  shard: number,
  episodes: readonly Episode[],
  { made = 1, id = runId, secret = token, number = shard, before = async () => {} } = {},
) {
  const lock = sampleEpisode().environment
  const bundle = {
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId: episodes[0]?.runId ?? id,
    plan,
    lock,
    shard: { index: shard, count: 2 },
    episodes,
  }
  const address = `http://localhost/api/v1/remote-runs/${id}/results?shard=${number}&try=${made}`
  const headers = { 'content-type': 'application/json', ...bearer(secret) }
  // `before` runs when the sender is admitted and before its body arrives.
  const body = new ReadableStream(
    {
      async pull(controller) {
        await before()
        controller.enqueue(new TextEncoder().encode(JSON.stringify(bundle)))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const sent = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const response = await shardResultsRoute().POST(new Request(address, sent), contextOf(id))
  return { status: response.status, body: await response.json() }
}

const part = async (number: number) =>
  (await findRemoteRun(kept.db, runId))?.parts.find((one) => one.number === number)
const countEpisodes = () => kept.db.episode.count({ where: { runId } })

describe('a run on other machines', () => {
  it('is registered by its sender before a shard can start, and its token stored as a hash', async () => {
    const entry = await findRegistrationOfRun(kept.db, runId)
    expect(entry?.action.sender).toMatchObject({ voucher: 'token:executor-slurm' })
    expect(await findRun(kept.db, runId)).toMatchObject({
      provenance: 'token',
      voucher: 'token:executor-slurm',
      shard: null,
    })
    const tables = JSON.stringify([
      await kept.db.remoteRun.findMany(),
      await kept.db.auditEntry.findMany(),
      await kept.db.ledgerEntry.findMany(),
    ])
    expect(tables).not.toContain(token)
  })

  it('takes both shards as one run, each once', async () => {
    const first = await start(1)
    expect(first.work).toMatchObject({
      try: 1,
      shards: 2,
      concurrency: 3,
      spendCapMicroUsd: 500,
      journal: [],
      hasEpisodes: false,
    })
    expect(first.work?.plan.planDigest).toBe(plan.planDigest)
    expect(await send(1, episodesOf(1))).toMatchObject({ status: 201 })
    expect(await send(1, episodesOf(1))).toMatchObject({
      status: 200,
      body: { status: 'duplicate' },
    })
    await start(2)
    const [one] = episodesOf(2)
    expect((await send(2, [one!])).status).toBe(201)
    // A shard is done only when everything of it is stored.
    const done = { event: 'done', shard: 2, try: 1, leftOut: null }
    expect(await report(done)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('1 of the 2') },
    })
    expect((await send(2, episodesOf(2))).status).toBe(201)
    expect((await report(done)).status).toBe(200)
    expect((await report({ ...done, shard: 1 })).status).toBe(200)
    expect(await countEpisodes()).toBe(4)
    const kinds = (await kept.db.ledgerEntry.findMany()).map(({ kind }) => kind)
    expect(kinds).toEqual(['register', 'include'])
    expect((await part(2))?.state).toBe('done')
  })

  it('a retried shard is given what the try before began, and a shard that is done is not run again', async () => {
    await start(1)
    const { taskId, repetition } = slotsOf(1)[0]!
    const at = new Date().toISOString()
    const journal = [
      JSON.stringify({ at, event: 'attempt-started', taskId, repetition, attempt: 1 }),
    ]
    await report({ event: 'running', shard: 1, try: 1, sealed: 0, journal })
    const again = await start(1)
    expect(again.work).toMatchObject({ try: 2, journal })
    expect(await send(1, episodesOf(1), { made: 1 })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Try 1 of shard 1 was replaced by try 2') },
    })
    expect(await countEpisodes()).toBe(0)
    await send(1, episodesOf(1), { made: 2 })
    await report({ event: 'done', shard: 1, try: 2, leftOut: null })
    const third = await start(1)
    expect(third).toMatchObject({ state: 'stop', work: null })
    expect((await part(1))?.tries).toBe(2)
  })

  it('a shard of a run that was cancelled is told to stop, and what it finished is still stored', async () => {
    await start(1)
    await kept.db.job.updateMany({ data: { status: 'running', newRunId: runId } })
    await requestCancel(kept.db, jobId, { reason: 'x', now: new Date() })
    const { body } = await report({ event: 'running', shard: 1, try: 1, sealed: 0 })
    expect(body).toMatchObject({ state: 'stop', summary: `${runId} was cancelled.` })
    expect((await send(1, episodesOf(1))).status).toBe(201)
  })
})

describe('what is refused, in one sentence', () => {
  const refusal = async (request: Promise<{ status: number; body: { detail?: string } }>) => {
    const { status, body } = await request
    return `${status} ${body.detail}`
  }
  const running = { event: 'running', shard: 1, try: 1, sealed: 0 }

  it('the token of another run', async () => {
    const other = await openRemote('run_remote002')
    expect(await refusal(report(running, { secret: other }))).toBe(
      '403 This token can only report run_remote002: nothing was stored.',
    )
    expect(await refusal(send(1, episodesOf(1), { secret: other }))).toBe(
      '403 This token can only report run_remote002: nothing was stored.',
    )
    await report({ event: 'started', shard: 1, host: 'a' }, { id: 'run_remote002', secret: other })
    // The run's own URL, with episodes of the other run.
    expect(await refusal(send(1, episodesOf(1), { id: 'run_remote002', secret: other }))).toContain(
      'is not run_remote002, which alone this token reports',
    )
    expect(await countEpisodes()).toBe(0)
  })

  it('a token that expired, was revoked, was replaced, or is none', async () => {
    const message = '401 This requires the token of this run'
    expect(await refusal(report(running, { secret: 'pb_x' }))).toContain(message)
    expect(await refusal(report(running, { secret: `pbr_${createSecret()}` }))).toContain(message)
    const gone = { hash: hashSecret(token), expiresAt: new Date(Date.now() - 1) }
    await replaceRunToken(kept.db, runId, gone)
    expect(await refusal(report(running))).toContain(message)
    await replaceRunToken(kept.db, runId, { ...gone, expiresAt: new Date(Date.now() + HOUR_MS) })
    await start(1)
    expect((await report(running)).status).toBe(200)
    await endLaunch(kept.db, runId, new Date())
    expect(await refusal(report(running))).toContain(message)
    expect(await refusal(send(1, episodesOf(1)))).toContain(message)
  })

  it('results whose launch ended while they came: their run is sealed', async () => {
    await start(1)
    const before = () => endLaunch(kept.db, runId, new Date())
    const { status } = await send(1, episodesOf(1), { before })
    expect(status).toBe(401)
    expect(await countEpisodes()).toBe(0)
  })

  it('a shard that the run does not have, and episodes of another shard', async () => {
    await start(1)
    expect(await refusal(report({ ...running, shard: 3 }))).toBe(
      `400 ${runId} has 2 shards, and no number 3: nothing was stored.`,
    )
    expect(await refusal(send(2, episodesOf(2), { number: 1 }))).toContain('is of another shard')
    expect(await countEpisodes()).toBe(0)
  })

  it('a report that is too large, no JSON, or of a field that is unknown', async () => {
    await start(1)
    const text = JSON.stringify({ ...running, journal: ['x'.repeat(MAX_REPORT_BYTES)] })
    expect(await refusal(report(null, { text }))).toContain('413')
    expect(await refusal(report(null, { text: '{' }))).toContain('400 The body is not JSON')
    expect(await refusal(report({ ...running, host: 'x' }))).toContain('400 Nothing was written')
    const lines = Array.from({ length: 1001 }, () => 'x')
    expect(await refusal(report({ ...running, journal: lines }))).toContain(
      '400 Nothing was written',
    )
  })

  it('results for a shard that was given up', async () => {
    await start(1)
    await changeShard(kept.db, { runId, number: 1 }, { state: 'given-up' })
    expect((await start(1)).summary).toBe('Shard 1 is given up.')
    expect(new Set(slotsOf(1).map(slotKey)).size).toBe(2)
  })
})
