import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MIGRATIONS_DIR, postgresDatabase } from '#lib/testing/factories/postgres.ts'
import { sampleEpisode, sampleSuite } from '#lib/testing/factories/samples.ts'
import { saveSampleRun, writeMigrated } from '#lib/testing/factories/temporary-database.ts'
import { recordAudit } from './audit-store.ts'
import { describeDatabase } from './copy-database.ts'
import type { Db } from './db.ts'
import { countProgress } from './episode-store.ts'
import { copyPendingFacts, lastFactNumber } from './fact-store.ts'
import { saveHeartbeat } from './job-lease.ts'
import { listLedger } from './ledger-store.ts'
import { copyToFile, moveToServer } from './move-database.ts'
import { openDb } from './open-db.ts'
import { saveEpisode } from './save-episode.ts'
import { saveSuite } from './suite-store.ts'
import { inTransaction } from './transaction.ts'

const NOW = new Date('2026-01-02T03:04:05.678Z')
const order = { migrationsDir: MIGRATIONS_DIR, now: NOW }
const RECEIPT = { provenance: 'local', directory: 'runs/x', receivedAt: NOW } as const
const actor = { kind: 'console', id: null, name: 'console' } as const

const writeAudit = (db: Db) =>
  inTransaction(db, (tx) => recordAudit(tx, { actor, action: 'test.write', target: null }, NOW))

let dir: string
let file: string
let target: { url: string; drop: () => Promise<void> }

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'proofboard-move-'))
  file = join(dir, 'proofboard.db')
  writeMigrated(file)
  const db = openDb(file)
  await saveSuite(db, sampleSuite(), NOW)
  await saveSampleRun(db)
  for (const repetition of [1, 2]) {
    const reason = 'it\'s "quoted" \\ 🦀 \u2028 ä'
    const outcome = { status: 'void', fault: 'harness', reason } as const
    const failed = {
      outcome,
      failureCategory: 'harness',
      contract: null,
      testSuccess: false,
      overallSuccess: false,
    } as const
    const episode = sampleEpisode({ repetition, ...(repetition === 2 && failed) })
    await saveEpisode(db, JSON.stringify(episode), RECEIPT)
  }
  await writeAudit(db)
  await copyPendingFacts(db)
  await db.$disconnect()
  target = await postgresDatabase({ isEmpty: true })
})
afterEach(async () => {
  await target.drop()
  rmSync(dir, { recursive: true, force: true })
})

it('moves every row, and back, equal by count and digest', { tags: 'on-postgresql' }, async () => {
  const { tables } = await moveToServer(file, target.url, order)
  const back = join(dir, 'back.db')
  expect(await copyToFile(target.url, back, MIGRATIONS_DIR)).toEqual(tables)
  expect(tables.find(({ table }) => table === 'Episode')?.rows).toBe(2)
  expect(describeDatabase(back)).toEqual(describeDatabase(file))
})

it('goes on where the file stopped: ledger, numbers, progress', {
  tags: 'on-postgresql',
}, async () => {
  await moveToServer(file, target.url, order)
  const db = openDb(target.url)
  try {
    const entries = (await listLedger(db)).length
    const audit = await db.auditEntry.count()
    await saveEpisode(db, JSON.stringify(sampleEpisode({ repetition: 3 })), RECEIPT)
    await writeAudit(db)
    const last = await lastFactNumber(db)
    await copyPendingFacts(db)
    expect(await lastFactNumber(db)).toBe(last + 1)
    expect(await db.auditEntry.count()).toBe(audit + 1)
    expect((await listLedger(db)).length).toBe(entries)
    const [progress] = (await countProgress(db, ['run_sample0001'])).values()
    expect(progress).toEqual({ sealed: 3, solved: 2, voids: 1, voidAttempts: 1, cancelled: 0 })
  } finally {
    await db.$disconnect()
  }
})

it('refuses a filled database and changes nothing in it', { tags: 'on-postgresql' }, async () => {
  await moveToServer(file, target.url, order)
  await expect(moveToServer(file, target.url, order)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('is not empty'),
  })
  const db = openDb(target.url)
  expect(await db.episode.count()).toBe(2)
  await db.$disconnect()
})

it('refuses a database in use, of a newer version, or out of reach, in one sentence', {
  tags: 'on-postgresql',
}, async () => {
  const db = openDb(file)
  await saveHeartbeat(db, { id: 'w', pid: 1 }, NOW)
  await expect(moveToServer(file, target.url, order)).rejects.toThrow(/stop the server first/)
  await db.worker.deleteMany()
  await db.$disconnect()
  const wrong = (change: (url: URL) => void) => {
    const url = new URL(target.url)
    change(url)
    return moveToServer(file, url.href, order).catch((error: Error) => error.message)
  }
  expect(
    await wrong((url) => {
      url.password = 'wrong'
    }),
  ).toMatch(/refuses the user or password/)
  expect(
    await wrong((url) => {
      url.port = '1'
    }),
  ).toMatch(/cannot be reached/)
  expect(
    await wrong((url) => {
      url.pathname = '/nowhere'
    }),
  ).toMatch(/has no database of the name/)
  expect(
    await wrong((url) => {
      url.protocol = 'mysql:'
    }),
  ).toMatch(/expected --to postgresql:/)
  await moveToServer(file, target.url, order)
  const moved = openDb(target.url)
  await moved.$executeRawUnsafe(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29990101000000_future', now())`,
  )
  await moved.$disconnect()
  expect(await wrong(() => {})).toMatch(/from a newer version of Proofboard/)
})
