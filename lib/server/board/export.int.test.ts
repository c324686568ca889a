import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeDatabase, migrateDatabase } from '#lib/db/database.ts'
import { appendEvaluation } from '#lib/db/evaluation-store.ts'
import { appendLedger } from '#lib/db/ledger-store.ts'
import { saveRun } from '#lib/db/run-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { listSuites, saveSuite } from '#lib/db/suite-store.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { type Digest, digestBytes } from '#lib/domain/digest/index.ts'
import { EXPORT_FORMATS } from '#lib/domain/formats/index.ts'
import type { LedgerAction } from '#lib/domain/ledger/index.ts'
import { settleEnv } from '#lib/env.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { tsBenchRun } from '#lib/testing/corpora/ts-bench-samples.ts'
import { sampleBundle } from '#lib/testing/factories/sample-bundle.ts'
import { sampleEpisode, samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { GET as getBoardFile } from '../../../app/api/v1/leaderboard/export/route.ts'
import { GET as getRowFile } from '../../../app/api/v1/rows/[rowId]/export/route.ts'
import { GET as getRunFile } from '../../../app/api/v1/runs/[runId]/export/route.ts'
import { refreshBoard } from '../../db/refresh-board.ts'

let temporary: TemporaryDatabase
let runId: string
let reported: string
beforeAll(async () => {
  temporary = await temporaryDatabase()
  vi.stubEnv('PROOFBOARD_DATA_DIR', temporary.dir)
  settleEnv(process.cwd())
  await migrateDatabase()
  runId = sampleBundle().runId
  expect((await submitBody(temporary, JSON.stringify(sampleBundle()))).status).toBe('committed')
  const { preview } = await submitBody(temporary, JSON.stringify(tsBenchRun()))
  reported = preview.runs[0]?.runId ?? ''
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await closeDatabase()
  await temporary.close()
})

const url = (query: string) => new Request(`http://localhost/export${query}`)
const ofRun = (id: string, format: string, headers = {}) =>
  getRunFile(new Request(`http://localhost/export?format=${format}`, { headers }), {
    params: Promise.resolve({ runId: id }),
  })

describe('GET /api/v1/runs/:id/export', () => {
  it('a bundle that came out is, uploaded again, a duplicate; so are envelopes as lines', async () => {
    for (const id of [runId, reported]) {
      for (const format of ['bundle', 'jsonl']) {
        const text = await (await ofRun(id, format)).text()
        const { status, preview } = await submitBody(temporary, text)
        expect([status, preview.counts.new, preview.counts.duplicate > 0]).toEqual([
          'duplicate',
          0,
          true,
        ])
      }
    }
  })

  it('names the program that measured, in Every Eval Ever', async () => {
    const library = async (id: string) =>
      JSON.parse(await (await ofRun(id, 'eee')).text()).eval_library
    expect((await library(reported)).name).toBe('ts-bench')
    expect((await library(runId)).name).toBe('proofboard')
  })

  it.each(EXPORT_FORMATS)(
    '%s has a name, a kind, and a tag for who has it already',
    async (format) => {
      const response = await ofRun(runId, format)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-disposition')).toMatch(
        /^attachment; filename="agent-run_sample0001\.[\w.-]+"$/,
      )
      const etag = response.headers.get('etag') ?? ''
      const first = await response.text()
      expect((await ofRun(runId, format, { 'if-none-match': etag })).status).toBe(304)
      expect(await (await ofRun(runId, format)).text()).toBe(first)
    },
  )

  it('has another tag once an episode was evaluated here', async () => {
    const etag = async () => (await ofRun(runId, 'csv')).headers.get('etag')
    const before = await etag()
    const { episodeId, seal } = await temporary.db.episode.findFirstOrThrow({ where: { runId } })
    const at = '2026-01-02T00:00:00.000Z'
    await appendEvaluation(temporary.db, {
      episodeId,
      seal: seal as Digest,
      number: 1,
      at,
      reason: null,
      after: null,
      result: 'no-task',
      verifier: null,
      modelEvidence: 'not-needed',
    })
    expect(await etag()).not.toBe(before)
  })

  it('has another tag once a transcript can be read, in formats with transcripts', async () => {
    const path = 'transcript.ndjson'
    const bytes = Buffer.from('{}\n')
    const file = { path, digest: digestBytes(bytes), sizeBytes: bytes.length, droppedBytes: 0 }
    await saveSuite(temporary.db, sampleSuite(), new Date())
    const run = {
      runId: 'run_transcript1',
      plan: samplePlan(),
      provenance: 'local',
      jobId: null,
    } as const
    await saveRun(temporary.db, run, new Date())
    const episode = sampleEpisode({
      runId: 'run_transcript1',
      evidence: [{ ...file, role: 'transcript' }],
    })
    const directory = 'runs/run_transcript1/episodes/alpha/r1-a1'
    const receipt = { provenance: 'local', directory, receivedAt: new Date() } as const
    await saveEpisode(temporary.db, JSON.stringify(episode), receipt)
    const tags = () =>
      Promise.all(
        (['csv', 'atif'] as const).map(async (format) =>
          (await ofRun('run_transcript1', format)).headers.get('etag'),
        ),
      )
    const [csv, atif] = await tags()
    mkdirSync(join(temporary.dir, directory), { recursive: true })
    writeFileSync(join(temporary.dir, directory, path), bytes)
    expect(await tags()).toEqual([csv, expect.not.stringContaining(atif ?? '')])
  })

  it('ts-bench comes out with the numbers that came in', async () => {
    const run = tsBenchRun()
    const out = JSON.parse(await (await ofRun(reported, 'ts-bench')).text())
    const numbers = (results: typeof run.results) =>
      results.map(
        ({
          exercise,
          agentSuccess,
          testSuccess,
          overallSuccess,
          agentDuration,
          testDuration,
          totalDuration,
        }) => ({
          exercise,
          agentSuccess,
          testSuccess,
          overallSuccess,
          agentDuration,
          testDuration,
          totalDuration,
        }),
      )
    expect(numbers(out.results)).toEqual(numbers(run.results))
    expect(out.summary).toMatchObject(run.summary)
    const { generatedBy: _, ...metadata } = run.metadata
    expect(out.metadata).toMatchObject(metadata)
  })

  it('JUnit and CTRF can be read again, and say the same', async () => {
    for (const format of ['junit', 'ctrf']) {
      const text = await (await ofRun(runId, format)).text()
      const { status, preview } = await submitBody(temporary, text)
      expect([status, preview.counts.new, preview.runs[0]?.subject]).toEqual([
        'committed',
        4,
        'agent 1.0.0 · model-1',
      ])
      const rows = await temporary.db.episode.findMany({
        where: { runId: preview.runs[0]?.runId ?? '' },
        orderBy: { taskId: 'asc' },
      })
      // A void attempt before a solved one is not a failure in either.
      const endings = rows.map(({ status: ending }) => ending).sort()
      expect(endings).toEqual(['cancelled', 'solved', 'solved', 'unsolved'])
    }
  })

  it('an unknown run or format, and a run that ts-bench cannot express, are refused with a sentence', async () => {
    expect((await ofRun('run_nowhere0', 'csv')).status).toBe(404)
    expect((await ofRun(runId, 'xlsx')).status).toBe(400)
    const { preview } = await submitBody(temporary, JUNIT, {
      details: { subject: 'x', suite: 'y' },
    })
    const response = await ofRun(preview.runs[0]?.runId ?? '', 'ts-bench')
    expect([response.status, (await response.json()).error.message]).toEqual([
      409,
      expect.stringContaining('choose another format'),
    ])
  })
})
const JUNIT = '<testsuite timestamp="2026-01-01T00:00:00Z"><testcase name="a"/></testsuite>'

it('a row and a board as files', async () => {
  const suite = (await listSuites(temporary.db)).find(({ title }) => title.startsWith('ts-bench'))
  if (!suite) throw new Error('no suite')
  const board = await refreshBoard(temporary.db, suite, new Date())
  const rowId = board.rows[0]?.rowId ?? ''
  const ofRow = (format: string) =>
    getRowFile(url(`?format=${format}`), { params: Promise.resolve({ rowId }) })
  expect((await (await ofRow('csv')).text()).split('\r\n').length).toBe(5)
  const record = JSON.parse(await (await ofRow('eee')).text())
  expect(record.evaluation_results[0].score_details.score).toBe(board.rows[0]?.success.rate)
  const ofBoard = async (format: string) =>
    (
      await getBoardFile(url(`?suite=${suite.suiteId}&format=${format}`), {
        params: Promise.resolve({}),
      })
    ).text()
  expect((await ofBoard('csv')).split('\r\n').length).toBe(3)
  expect(JSON.parse(await ofBoard('jsonl'))).toMatchObject({ rowId, label: 'diagnostic' })
  const line = JSON.parse(await ofBoard('eee'))
  expect(line.eval_library.name).toBe('unknown')
  expect(line.evaluation_results[0].score_details.uncertainty.confidence_interval).toMatchObject({
    confidence_level: 0.95,
  })
})

it('files count as the ledger corrected the episodes, and a bundle stays as it was sealed', async () => {
  const idOf = async (taskId: string) =>
    (
      await temporary.db.episode.findFirstOrThrow({
        where: { runId, taskId, repetition: 1 },
      })
    ).episodeId
  const sealed = await (await ofRun(runId, 'bundle')).text()
  const etag = (await ofRun(runId, 'csv')).headers.get('etag')
  const actions: LedgerAction[] = [
    { kind: 'invalidate', target: await idOf('alpha') },
    {
      kind: 'rescore',
      target: await idOf('beta'),
      from: 'unsolved',
      to: 'solved',
      verdict: 'pass',
    } as LedgerAction,
  ]
  for (const action of actions)
    await inTransaction(temporary.db, (tx) =>
      appendLedger(tx, { author: 'a', reason: 'a broken test', action }, new Date()),
    )
  expect((await ofRun(runId, 'csv')).headers.get('etag')).not.toBe(etag)
  const [, ...lines] = (await (await ofRun(runId, 'csv')).text()).trim().split('\r\n')
  expect(lines.map((line) => /,live,([a-z]+),/.exec(line)?.[1])).toEqual([
    ...['void', 'void', 'solved', 'solved', 'cancelled'],
  ])
  expect(lines[0]).toMatch(/corrected by ledger entry \d+: a broken test/)
  const { summary } = JSON.parse(await (await ofRun(runId, 'ctrf')).text()).results
  expect([summary.tests, summary.passed, summary.failed]).toEqual([4, 2, 0])
  const eee = JSON.parse(await (await ofRun(runId, 'eee')).text())
  const [{ score_details: found }] = eee.evaluation_results
  expect([found.score, found.uncertainty.num_samples]).toEqual([1, 2])
  expect(eee.detailed_evaluation_results.total_rows).toBe(2)
  const inspect = JSON.parse(await (await ofRun(runId, 'inspect')).text())
  expect(inspect.results.scores[0]).toMatchObject({ scored_samples: 2, unscored_samples: 2 })
  expect(await (await ofRun(runId, 'bundle')).text()).toBe(sealed)
})
