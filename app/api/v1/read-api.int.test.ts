import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cachingBuilder } from '#lib/db/cached-boards.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { saveHeartbeat } from '#lib/db/job-lease.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { boardSchema } from '#lib/domain/board/index.ts'
import type { AnyEpisode } from '#lib/domain/record/index.ts'
import { sampleEpisode, samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import { saveSampleRun } from '#lib/testing/factories/temporary-database.ts'
import { BoardRefresher } from '#lib/worker/worker-context.ts'
import { GET as getLogs } from './episodes/[episodeId]/logs/route.ts'
import { GET as getEpisode } from './episodes/[episodeId]/route.ts'
import { GET as getHealth } from './health/route.ts'
import { GET as getLeaderboard } from './leaderboard/route.ts'
import { GET as getRow } from './rows/[rowId]/route.ts'
import { GET as getRun } from './runs/[runId]/route.ts'
import { GET as listRuns } from './runs/route.ts'
import { GET as getSuite } from './suites/[suiteId]/route.ts'
import { GET as listSuites } from './suites/route.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-api-'))
const suite = sampleSuite()
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
})
const LOG = 'first line\nzweite Zeile: ü\nthird\n'
const file = (role: AnyEpisode['evidence'][number]['role'], path: string) => ({
  role,
  path,
  digest: suite.digest,
  sizeBytes: LOG.length,
  droppedBytes: 0,
})
const episode = sampleEpisode(
  {
    suiteDigest: suite.digest,
    taskDigest: suite.tasks[0]!.digest,
    evidence: [
      file('subject-log', 'subject.log'),
      file('events', 'link.log'),
      file('solution', 'solution/a.ts'),
      file('workspace-diff', 'd.diff'),
    ],
  },
  plan,
)
const { episodeId, runId } = episode

const ask = (path: string, headers = {}) =>
  new Request(`http://localhost/api/v1/${path}`, { headers })
const with_ = <P>(params: P) => ({ params: Promise.resolve(params) })
const none = with_({})

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await migrateDatabase()
  const db = database()
  await saveSuite(db, suite, new Date())
  await saveSampleRun(db, plan)
  const directory = 'runs/run_sample0001/episodes/alpha/r1-a1'
  const folder = join(dir, directory)
  mkdirSync(join(folder, 'solution'), { recursive: true })
  writeFileSync(join(folder, 'subject.log'), LOG)
  writeFileSync(join(folder, 'd.diff'), '--- a\n+++ b\n')
  writeFileSync(join(folder, 'solution/a.ts'), 'export {}\n')
  symlinkSync('/etc/passwd', join(folder, 'link.log'))
  const receipt = { provenance: 'local', directory, receivedAt: new Date() } as const
  await saveEpisode(db, JSON.stringify(episode), receipt)
  await enqueueJob(db, { suiteId: 'sample', subject: 'nop', repetitions: 1 }, new Date())
  const boards = new BoardRefresher(db, cachingBuilder(db))
  await boards.requestAll()
  await boards.settle()
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

describe('GET /api/v1', () => {
  it('leaderboard: the board, the first suite by default, 304 for who has it', async () => {
    const response = await getLeaderboard(ask('leaderboard?suite=sample'), none)
    const board = boardSchema.parse(await response.json())
    expect(board.rows).toMatchObject([{ label: 'scaffold', success: { rate: 1 } }])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const etag = response.headers.get('etag')
    expect((await getLeaderboard(ask('leaderboard', { 'if-none-match': etag }), none)).status).toBe(
      304,
    )
  })

  it('leaderboard: an unknown suite is answered with the nearest names', async () => {
    const response = await getLeaderboard(ask('leaderboard?suite=smaple'), none)
    expect(response.status).toBe(404)
    const message = 'unknown suite "smaple": did you mean sample?'
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({
      status: 404,
      code: 'not-found',
      detail: message,
      error: { code: 'not-found', message },
    })
  })

  it('suites, runs and one run', async () => {
    const suites = await (await listSuites(ask('suites'), none)).json()
    expect(suites).toMatchObject({
      suites: [{ suiteId: 'sample', title: 'Sample', digest: suite.digest, tasks: 2, rows: 1 }],
      next: null,
    })
    const { runs } = await (await listRuns(ask('runs?limit=5'), none)).json()
    expect(runs).toMatchObject([
      { runId: null, subjectLabel: 'nop', status: 'queued' },
      {
        runId,
        subjectLabel: 'reference 1.0.0',
        condition: null,
        status: 'incomplete',
        planned: 4,
        sealed: 1,
        solved: 1,
        voids: 0,
      },
    ])
    const run = await (await getRun(ask(`runs/${runId}`), with_({ runId }))).json()
    expect(run).toMatchObject({
      plan: { planDigest: plan.planDigest },
      provenance: 'local',
      episodes: [{ episodeId, status: 'solved' }],
      reproduce: ['npx proofboard run --suite sample --subject reference --repetitions 2'],
    })
    expect((await getRun(ask('runs/x'), with_({ runId: 'x' }))).status).toBe(404)
    const bad = await listRuns(ask('runs?limit=many'), none)
    expect([bad.status, (await bad.json()).error.code]).toEqual([400, 'invalid-request'])
  })

  it('a row and a suite with what is known of tasks and verifier', async () => {
    const { rows } = await (await getLeaderboard(ask('leaderboard?suite=sample'), none)).json()
    const [{ rowId }] = rows
    const { row, exposure } = await (await getRow(ask('row'), with_({ rowId }))).json()
    expect(exposure, 'no model drives a control').toBeNull()
    expect(row).toMatchObject({ reliability: null, leaveOneOut: { task: null, category: null } })
    const view = await (await getSuite(ask('suites/sample'), with_({ suiteId: 'sample' }))).json()
    expect(view.verifierErrors).toMatchObject({
      falseNegatives: { episodes: 1, failed: 0, low: 0, runs: 1, failing: [] },
      falsePositives: null,
    })
    expect(view.verifierErrors.falseNegatives.high).toBeCloseTo(0.975, 9)
    expect(view.taskStatistics).toMatchObject({ rows: 0, fewestRows: 3 })
    expect(view.taskStatistics.tasks).toHaveLength(2)
  })

  it('an episode with its files', async () => {
    const view = await (await getEpisode(ask('e'), with_({ episodeId }))).json()
    expect(view).toMatchObject({
      episode: { episodeId, seal: episode.seal },
      taskTitle: 'Task alpha',
      diff: '--- a\n+++ b\n',
      solution: [{ path: 'a.ts', text: 'export {}\n' }],
      attempts: [{ attempt: 1 }],
      reproduce: [
        'npx proofboard run --suite sample --subject reference --tasks alpha --repetitions 2',
      ],
    })
    expect((await getEpisode(ask('e'), with_({ episodeId: 'ep_none' }))).status).toBe(404)
  })

  it('logs by range, and no way out of the folder', async () => {
    const logs = (query: string) => getLogs(ask(`e/logs${query}`), with_({ episodeId }))
    const size = Buffer.byteLength(LOG)
    expect(await (await logs('')).json()).toEqual({
      text: LOG,
      offset: 0,
      nextOffset: null,
      sizeBytes: size,
    })
    const part = await (await logs('?role=subject-log&offset=0&length=15')).json()
    expect(part).toEqual({ text: 'first line\n', offset: 0, nextOffset: 11, sizeBytes: size })
    expect((await logs('?role=events')).status, 'a link is not followed').toBe(404)
    expect((await logs('?role=gate-log')).status).toBe(404)
    for (const query of ['?role=../../etc/passwd', '?offset=-1', '?length=x']) {
      expect((await logs(query)).status).toBe(400)
    }
  })

  it('health: degraded without a worker, ok with one, 503 without a database', async () => {
    const health = async () => {
      const response = await getHealth(ask('health'), none)
      return { code: response.status, body: await response.json() }
    }
    expect(await health()).toMatchObject({
      code: 200,
      body: { status: 'degraded', queue: { queued: 1 } },
    })
    await saveHeartbeat(database(), { id: 'w', pid: process.pid }, new Date())
    expect(await health()).toMatchObject({
      code: 200,
      body: { status: 'ok', worker: { alive: true }, disk: { freeBytes: expect.any(Number) } },
    })
    await database().$executeRawUnsafe('ALTER TABLE "Job" RENAME TO "Gone"')
    expect(await health()).toMatchObject({
      code: 503,
      body: { status: 'down', database: { ok: false } },
    })
    const broken = await listRuns(ask('runs'), none)
    expect([broken.status, (await broken.json()).error.code]).toEqual([503, 'database-unusable'])
  })
})
