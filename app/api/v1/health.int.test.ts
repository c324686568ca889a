import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { claimJob, saveHeartbeat } from '#lib/db/job-lease.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { openSqlite } from '#lib/db/sqlite-file.ts'
import type { Health } from '#lib/domain/reports/index.ts'
import { settleEnv } from '#lib/env.ts'
import { createBackup } from '#lib/server/care/create-backup.ts'
import { getHealth } from '#lib/server/care/get-health.ts'
import { PEER_HEADER } from '#lib/server/http/peer-address.ts'
import { GET as getLive } from './health/live/route.ts'
import { GET as getReady } from './health/ready/route.ts'
import { GET } from './health/route.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-health-'))
const file = join(dir, 'proofboard.db')
const none = { params: Promise.resolve({}) }
const request = () => new Request('http://localhost/api/v1/health')
const settle = (more: Record<string, string>) => {
  Object.assign(process.env, { PROOFBOARD_DATA_DIR: dir, PROOFBOARD_LOG_LEVEL: 'silent', ...more })
  settleEnv(process.cwd())
}
/** Advances the clock, so that cached checks run again. */
const later = (seconds: number) => new Date(Date.now() + seconds * 1000)

beforeAll(async () => {
  settle({ PROOFBOARD_MIN_FREE: '1MB' })
  await migrateDatabase()
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

/** Polls until a background check has finished. */
async function settled(holds: (health: Health) => boolean): Promise<Health> {
  for (let look = 0; look < 200; look++) {
    const health = await getHealth(new Date())
    if (holds(health)) return health
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('health never said so')
}

it('says what is there: version, start, sizes by kind, soundness', async () => {
  await saveHeartbeat(database(), { id: 'w', pid: process.pid }, new Date())
  mkdirSync(join(dir, 'runs/run_x/episodes'), { recursive: true })
  writeFileSync(join(dir, 'runs/run_x/episodes/subject.log'), 'x'.repeat(12_345))
  const health = await settled(({ disk, database: { integrity } }) => !!(disk.data && integrity))
  expect(health).toMatchObject({
    status: 'ok',
    version: JSON.parse(readFileSync('package.json', 'utf8')).version,
    database: { ok: true, writable: true, integrity: { ok: true } },
    disk: { level: 'ok', minFreeBytes: 1e6, data: { runs: 12_345 } },
    backup: { lastMs: null },
    problems: [],
  })
  expect(health.disk.data?.database).toBeGreaterThan(50_000)
  await createBackup(
    { to: null, withEvidence: false, withSecret: false, keep: null },
    { kind: 'console', id: null, name: 'console' },
  )
  expect((await getHealth(new Date())).backup?.lastMs).toBeLessThan(60_000)
})

it('contains no path or name', async () => {
  const text = await (await GET(request(), none)).text()
  expect(text).not.toContain(dir)
  expect(text).not.toContain(process.cwd())
  expect(text).not.toMatch(/[/\\](tmp|home|root|work)/)
})

it('degraded while another process holds the write lock, and answers all the same', async () => {
  const holder = openSqlite(file)
  holder.exec('BEGIN IMMEDIATE')
  const health = await getHealth(later(6))
  holder.exec('ROLLBACK')
  holder.close()
  expect(health).toMatchObject({ status: 'degraded', database: { ok: true, writable: false } })
  expect(health.problems).toEqual([expect.stringContaining('could not be locked for writing')])
  expect(await getHealth(later(12))).toMatchObject({ database: { writable: true } })
})

it('degraded with a job whose worker is gone', async () => {
  const db = database()
  await enqueueJob(db, { suiteId: 'sample', subject: 'nop', repetitions: 1 }, new Date())
  const claim = { owner: 'gone', now: new Date(), leaseMs: 1, newRunId: 'run_aaaaaaaa' }
  await claimJob(db, claim)
  expect(await getHealth(later(1))).toMatchObject({ queue: { running: 1, stuckLeases: 0 } })
  const health = await getHealth(later(60))
  expect(health).toMatchObject({ status: 'degraded', queue: { stuckLeases: 1 } })
  await db.job.deleteMany()
})

it('degraded when the disk is nearly full: pages work, 200', async () => {
  settle({ PROOFBOARD_MIN_FREE: '999999TB' })
  await saveHeartbeat(database(), { id: 'w', pid: process.pid }, new Date())
  const response = await GET(request(), none)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    status: 'degraded',
    disk: { level: 'full' },
    problems: [expect.stringContaining('The disk is nearly full: no job is started')],
  })
  settle({ PROOFBOARD_MIN_FREE: '1MB' })
})

it('a damaged file is found, though queries still answer', async () => {
  const bytes = readFileSync(file)
  const copy = join(dir, 'damaged.db')
  const { isSound } = await import('#lib/db/database.ts')
  expect(isSound(file)).toBe(true)
  const source = openSqlite(file)
  source.pragma('wal_checkpoint(TRUNCATE)')
  source.close()
  const whole = readFileSync(file)
  whole.fill(0xff, whole.length - 4096, whole.length - 1024)
  writeFileSync(copy, whole)
  expect(bytes.length).toBeGreaterThan(4096)
  expect(isSound(copy)).toBe(false)
})

it('probes share no rate limit with readers', async () => {
  settle({ PROOFBOARD_READS_PER_MINUTE: '1' })
  const headers = { [PEER_HEADER]: '192.0.2.1' }
  for (const get of [GET, getLive, getReady])
    for (let time = 0; time < 3; time++) {
      const response = await get(new Request('http://localhost/', { headers }), none)
      expect([response.status, response.headers.get('ratelimit')]).toEqual([200, null])
    }
})

it('probes at the same time share one look at the database', async () => {
  const looks = Array.from({ length: 50 }, () => getHealth(new Date()))
  expect(new Set(await Promise.all(looks)).size).toBe(1)
  const [last] = await Promise.all(looks)
  expect(await getHealth(new Date())).not.toBe(last)
})

it('live and ready: the process answers, and the database does', async () => {
  expect((await getLive(request(), none)).status).toBe(200)
  expect((await getReady(request(), none)).status).toBe(200)
  renameSync(file, `${file}.aside`)
  expect((await getReady(request(), none)).status, 'another file would take the writes').toBe(503)
  expect(await (await GET(request(), none)).json()).toMatchObject({
    status: 'down',
    database: { ok: false, problem: expect.stringMatching(/^the database file was moved/) },
  })
  renameSync(`${file}.aside`, file)
  expect((await getReady(request(), none)).status).toBe(200)
  await database().$executeRawUnsafe('ALTER TABLE "Job" RENAME TO "Gone"')
  expect((await getLive(request(), none)).status).toBe(200)
  expect((await getReady(request(), none)).status).toBe(503)
  expect((await GET(request(), none)).status).toBe(503)
})
