import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import type { AnyEpisode } from '#lib/domain/record/index.ts'
import { settleEnv } from '#lib/env.ts'
import { getEpisode } from '#lib/server/runs/episodes.ts'
import { missingEvidenceError } from '#lib/server/runs/read-log.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { SAMPLE_RUN_ID, sampleEpisode, samplePlan } from '#lib/testing/factories/samples.ts'
import { saveSampleRun } from '#lib/testing/factories/temporary-database.ts'
import { checkStoredEvidence } from './evidence-care.ts'
import { applyRetention, pruneNow } from './retention.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-retention-'))
const plan = samplePlan()
const system = { kind: 'system', id: null, name: 'system' } as const
const settle = (more: Record<string, string>) => {
  Object.assign(process.env, { PROOFBOARD_DATA_DIR: dir, PROOFBOARD_LOG_LEVEL: 'silent', ...more })
  settleEnv(process.cwd())
}

type Made = { role: AnyEpisode['evidence'][number]['role']; path: string; bytes: Buffer }
const made = (): Made[] => [
  { role: 'subject-log', path: 'subject.log', bytes: Buffer.alloc(300_000, 'a') },
  { role: 'gateway-recording', path: 'recording.json', bytes: Buffer.alloc(200_000, 'b') },
  { role: 'gate-log', path: 'gate.log', bytes: Buffer.alloc(100_000, 'c') },
  { role: 'solution', path: 'solution/a.ts', bytes: Buffer.alloc(50_000, 'd') },
]

async function keep(repetition: number): Promise<AnyEpisode> {
  const evidence = made().map(({ role, path, bytes }) => {
    return { role, path, digest: digestBytes(bytes), sizeBytes: bytes.length, droppedBytes: 0 }
  })
  const episode = sampleEpisode({ repetition, evidence }, plan)
  const directory = `runs/${SAMPLE_RUN_ID}/episodes/alpha/r${repetition}-a1`
  for (const { path, bytes } of made()) {
    mkdirSync(join(dir, directory, 'solution'), { recursive: true })
    writeFileSync(join(dir, directory, path), bytes)
  }
  writeFileSync(join(dir, directory, 'episode.json'), JSON.stringify(episode))
  const receipt = { provenance: 'local', directory, receivedAt: new Date() } as const
  await saveEpisode(database(), JSON.stringify(episode), receipt)
  return episode
}
const path = (repetition: number, name: string) =>
  `runs/${SAMPLE_RUN_ID}/episodes/alpha/r${repetition}-a1/${name}`
const isThere = (repetition: number, name: string) => existsSync(join(dir, path(repetition, name)))

let first: AnyEpisode
beforeAll(async () => {
  settle({})
  await migrateDatabase()
  await saveSampleRun(database(), plan)
  first = await keep(1)
  await keep(2)
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

it('prunes nothing where no limit is set', async () => {
  expect((await pruneNow(false)).chosen).toEqual([])
})

it('says what would go and takes nothing', async () => {
  settle({ PROOFBOARD_LOG_QUOTA: '1MB' })
  const { code, stdout } = await proofboardHere(dir, ['retention', '--dry-run', '--json'])
  expect([code, lastJson(stdout)]).toMatchObject([0, { dryRun: true, files: 2 }])
  expect(await database().prunedFile.count()).toBe(0)
  expect([1, 2].map((n) => isThere(n, 'subject.log'))).toEqual([true, true])
})

it('never touches a run that goes on', async () => {
  const payload = { suiteId: 'sample', subject: 'nop', repetitions: 1 }
  const jobId = await enqueueJob(database(), payload, new Date())
  const data = { status: 'running', runId: SAMPLE_RUN_ID }
  await database().job.update({ where: { id: jobId }, data })
  expect((await pruneNow(false)).chosen).toEqual([])
  await database().job.delete({ where: { id: jobId } })
  const pid = join(dir, 'runs', SAMPLE_RUN_ID, 'runner.pid')
  writeFileSync(pid, `${process.pid} -\n`)
  expect((await pruneNow(false)).chosen).toEqual([])
  rmSync(pid)
})

it('frees down to nine tenths of the quota, writes down each file, and keeps what verdicts rest on', async () => {
  const { chosen } = await applyRetention(database(), system, new Date('2026-11-21T00:00:00.000Z'))
  expect(chosen.map(({ bytes }) => bytes)).toEqual([300_000, 300_000])
  for (const n of [1, 2]) {
    expect(isThere(n, 'subject.log')).toBe(false)
    for (const name of ['gate.log', 'solution/a.ts', 'episode.json', 'recording.json'])
      expect(isThere(n, name), name).toBe(true)
  }
  const lines = await database().auditEntry.findMany({ where: { action: 'retention.prune' } })
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]?.detail ?? '')).toMatchObject({ files: 2, bytes: 600_000 })
})

it('is pruned, not missing: to the check, the page and the route', async () => {
  expect(await checkStoredEvidence()).toEqual({ whole: 6, pruned: 2, elsewhere: 0, problems: [] })
  const view = await getEpisode(first.episodeId)
  expect(view?.pruned.find((note) => note.path === 'subject.log')).toMatchObject({
    prunedAt: '2026-11-21T00:00:00.000Z',
  })
  const data = await missingEvidenceError(first.episodeId, 'subject-log')
  expect([data.httpStatus, data.message]).toEqual([
    410,
    expect.stringContaining('was pruned on 2026-11-21 because the quota of 1.0 MB was used up'),
  ])
  const { code, stdout } = await proofboardHere(dir, ['retention', '--verify'])
  expect([code, stdout]).toEqual([
    0,
    '6 files verified, 2 pruned, 0 not in this data folder, 0 problems\n',
  ])
})

it('reports a file that disappeared as missing, and a changed one as changed', async () => {
  const file = join(dir, path(1, 'gate.log'))
  const before = readFileSync(file)
  rmSync(file)
  writeFileSync(join(dir, path(2, 'gate.log')), 'other words')
  const { problems } = await checkStoredEvidence()
  expect(problems.map(({ problem }) => problem).sort()).toEqual([
    'is missing, and retention did not take it',
    'is not what was sealed',
  ])
  for (const n of [1, 2]) writeFileSync(join(dir, path(n, 'gate.log')), before)
})

it('takes away what a dying process had written down and left', async () => {
  writeFileSync(join(dir, path(1, 'subject.log')), 'still here')
  await pruneNow(false)
  expect(isThere(1, 'subject.log')).toBe(false)
  expect((await checkStoredEvidence()).problems).toEqual([])
})

it('takes what is too old by the setting', async () => {
  settle({ PROOFBOARD_LOG_QUOTA: '', PROOFBOARD_KEEP_LOGS_DAYS: '30' })
  const day = 86_400_000
  const young = new Date(Date.parse(first.startedAt) + 29 * day)
  expect((await pruneNow(true, young)).chosen).toEqual([])
  const old = new Date(Date.parse(first.startedAt) + 31 * day)
  const { chosen } = await applyRetention(database(), system, old)
  expect(chosen.map(({ reason }) => reason)).toEqual([
    'it was older than 30 days',
    'it was older than 30 days',
  ])
  expect(isThere(2, 'recording.json')).toBe(false)
  expect(await checkStoredEvidence()).toEqual({ whole: 4, pruned: 4, elsewhere: 0, problems: [] })
})
