import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listSuites } from '#lib/db/suite-store.ts'
import { serializeBoard } from '#lib/domain/board/index.ts'
import { settleEnv } from '#lib/env.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { tsBenchRun } from '#lib/testing/corpora/ts-bench-samples.ts'
import { sampleBundle } from '#lib/testing/factories/sample-bundle.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { refreshBoard } from '../../db/refresh-board.ts'
import { exportArchive } from './export-archive.ts'
import { rebuild } from './rebuild-archive.ts'
import { verifyCopy, verifyServer } from './verify-archive.ts'

let temporary: TemporaryDatabase
let served: string
let suiteId: string
beforeEach(async () => {
  temporary = await temporaryDatabase()
  vi.stubEnv('PROOFBOARD_DATA_DIR', temporary.dir)
  settleEnv(process.cwd())
  const { db } = temporary
  await submitBody(temporary, JSON.stringify(tsBenchRun()))
  const later = tsBenchRun({ metadata: { ...tsBenchRun().metadata, agent: 'other' } })
  await submitBody(temporary, JSON.stringify({ lastUpdated: '2026', results: { later } }))
  const [suite] = await listSuites(db)
  if (!suite) throw new Error('no suite')
  suiteId = suite.suiteId
  served = serializeBoard(await refreshBoard(db, suite, new Date()))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await temporary.close()
})

const archive = () => join(temporary.dir, 'archive')
const evidenceOf = (runId: string) =>
  JSON.parse(readFileSync(join(archive(), 'runs', runId, 'evidence.json'), 'utf8'))

it('a board of reported results is rebuilt byte for byte from an archive, and from the server', async () => {
  expect((await verifyServer(temporary.dir)).problems).toEqual([])
  await exportArchive(temporary.dir, archive())
  expect(verifyCopy(archive()).problems).toEqual([])
  for (const from of [archive(), temporary.dir])
    expect((await rebuild(from, { suiteId, version: null })).text).toBe(served)
})

it('with evidence holds every stored file, marks pruned ones, and finds one that was changed', async () => {
  const [first] = await temporary.db.episode.findMany({ where: { taskId: 'acronym' } })
  const { directory, runId, episodeId } = first as {
    directory: string
    runId: string
    episodeId: string
  }
  const path = `${directory}/ts-bench.json`
  const when = new Date('2026-05-01T00:00:00Z')
  const reason = 'older than 30 days'
  await temporary.db.prunedFile.create({
    data: { path, runId, episodeId, bytes: 1, prunedAt: when, reason },
  })
  rmSync(join(temporary.dir, path))
  await exportArchive(temporary.dir, archive(), { withEvidence: true })
  expect(evidenceOf(runId)[0]).toMatchObject({
    path: 'ts-bench.json',
    state: 'pruned',
    pruned: { prunedAt: when.toISOString(), reason },
  })
  const kept = evidenceOf(runId).filter(({ state }: { state: string }) => state === 'kept')
  expect(kept.length).toBe(2)
  expect(verifyCopy(archive()).problems).toEqual([])
  expect((await rebuild(archive(), { suiteId, version: null })).text).toBe(served)
  const place = join(archive(), 'evidence', runId, kept[0].episodeId, kept[0].path)
  writeFileSync(place, 'another text')
  mkdirSync(join(archive(), 'evidence/run_stranger'))
  writeFileSync(join(archive(), 'evidence/run_stranger/x'), '')
  expect(verifyCopy(archive()).problems.map(({ problem }) => problem)).toEqual([
    'is not the file that was sealed',
    'belongs to no episode',
  ])
})

it('a run on an unknown suite does not prevent the export of the rest', async () => {
  const { episodes, ...bundle } = sampleBundle()
  const body = JSON.stringify({ ...bundle, episodes: episodes.slice(0, 1) })
  expect((await submitBody(temporary, body)).status).toBe('committed')
  expect((await verifyServer(temporary.dir)).problems).toEqual([])
  await exportArchive(temporary.dir, archive())
  expect(verifyCopy(archive()).problems).toEqual([])
  expect((await rebuild(archive(), { suiteId, version: null })).text).toBe(served)
})
