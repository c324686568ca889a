import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordAudit } from '#lib/db/audit-store.ts'
import { listLedger } from '#lib/db/ledger-store.ts'
import { openDb } from '#lib/db/open-db.ts'
import { saveRegistration } from '#lib/db/plan-store.ts'
import { saveRun } from '#lib/db/run-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { sealRun } from '#lib/db/seal-run.ts'
import { openSqlite } from '#lib/db/sqlite-file.ts'
import { saveSubmission } from '#lib/db/submission-store.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { canonicalJson, digestBytes } from '#lib/domain/digest/index.ts'
import {
  chainEntry,
  describeHead,
  type LedgerEntry,
  type Sender,
  type SignedHead,
} from '#lib/domain/ledger/index.ts'
import { settleEnv } from '#lib/env.ts'
import { HeadSigner } from '#lib/server/care/ledger-heads.ts'
import {
  SAMPLE_RUN_ID,
  sampleEpisode,
  samplePlan,
  sampleSuite,
} from '#lib/testing/factories/samples.ts'
import { writeMigrated } from '#lib/testing/factories/temporary-database.ts'
import { refreshBoard } from '../../db/refresh-board.ts'
import { exportArchive } from './export-archive.ts'
import { signHead } from './ledger-heads.ts'
import { verifyCopy, verifyServer } from './verify-archive.ts'

const suite = { ...sampleSuite(), thresholds: { aggregateEpisodes: 12 } }
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
})
const LOG = 'what the subject said'
const evidence = [
  {
    role: 'subject-log' as const,
    path: 'subject.log',
    digest: digestBytes(LOG),
    sizeBytes: LOG.length,
    droppedBytes: 0,
  },
]
const episodes = plan.tasks.flatMap(({ taskId, digest: taskDigest }) =>
  [1, 2].map((repetition) => sampleEpisode({ taskId, taskDigest, repetition, evidence }, plan)),
)
const bodyDigest = digestBytes('the body')
const sender: Sender = { provenance: 'token', voucher: 'token ci', name: 'ci', bodyDigest }
const actor = { kind: 'token', id: 'tok_1', name: 'ci', scopes: [] } as const

const root = mkdtempSync(join(tmpdir(), 'proofboard-tamper-'))
const whole = join(root, 'whole')
const dir = join(root, 'copy')
const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 3, minute))
/** A head that was saved elsewhere when the ledger had this length. */
let kept: SignedHead

beforeAll(async () => {
  Object.assign(process.env, { PROOFBOARD_DATA_DIR: whole, PROOFBOARD_LOG_LEVEL: 'silent' })
  settleEnv(process.cwd())
  writeMigrated(join(whole, 'proofboard.db'))
  const db = openDb(join(whole, 'proofboard.db'))
  const runs = [{ runId: SAMPLE_RUN_ID, shard: null }]
  const registration = { planDigest: plan.planDigest, plan, runs, expected: 1, sender }
  await saveSuite(db, suite, at(0))
  await inTransaction(db, (tx) => saveRegistration(tx, registration, at(1)))
  await saveRun(db, { runId: SAMPLE_RUN_ID, plan, provenance: 'token', jobId: null }, at(2))
  for (const episode of episodes) {
    const directory = `received/${episode.episodeId}`
    mkdirSync(join(whole, directory), { recursive: true })
    writeFileSync(join(whole, directory, 'subject.log'), LOG)
    const receipt = { provenance: 'token', directory, receivedAt: at(2), sender } as const
    await saveEpisode(db, JSON.stringify(episode), receipt)
  }
  const submission = { bodyDigest, bytes: 8, provenance: 'token', actor: 'ci' } as const
  const rest = { vouched: null, requestId: 'request-1', runIds: [SAMPLE_RUN_ID] }
  await inTransaction(db, async (tx) => {
    await saveSubmission(tx, { ...submission, ...rest }, at(2))
    await recordAudit(tx, { actor, action: 'results.submit', target: SAMPLE_RUN_ID }, at(2))
  })
  await sealRun(db, SAMPLE_RUN_ID, at(3))
  await refreshBoard(db, suite, at(4))
  await new HeadSigner(db).sign()
  const last = (await listLedger(db)).at(-1) as LedgerEntry
  kept = signHead(describeHead(last, null), whole)
  await db.$disconnect()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))
beforeEach(() => cpSync(whole, dir, { recursive: true }))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

async function findings(head: SignedHead | null = null): Promise<string> {
  const { problems } = await verifyServer(dir, { head })
  return problems.map(({ place, problem }) => `${place}: ${problem}`).join('\n')
}

function change(sql: string, ...values: unknown[]): void {
  const db = openSqlite(join(dir, 'proofboard.db'))
  db.pragma('foreign_keys = OFF')
  expect(db.prepare(sql).run(...values).changes).toBeGreaterThan(0)
  db.close()
}

describe('ledger verify', () => {
  it('finds nothing in what is whole, with a head from earlier too', async () => {
    expect(await findings()).toBe('')
    expect(await findings(kept)).toBe('')
  })

  it('finds another time of freezing, in document and column together', async () => {
    const frozenAt = '2025-01-01T00:00:00.000Z'
    const sql = 'UPDATE "Plan" SET document = ?, "frozenAt" = ?'
    change(sql, canonicalJson({ ...plan, frozenAt }), '2025-01-01T00:00:00.000+00:00')
    expect(await findings()).toContain(`run ${SAMPLE_RUN_ID}: its plan was frozen at another time`)
  })

  it('finds other times of receipt', async () => {
    change('UPDATE "Episode" SET "receivedAt" = ?', '2026-01-01T00:00:00.000+00:00')
    expect(await findings()).toContain(
      'the times of receipt of its episodes are not those of ledger entry',
    )
  })

  it.each([
    ['actor', 'somebody'],
    ['bodyDigest', digestBytes('another body')],
    ['provenance', 'oidc'],
  ])('finds another %s of a submission', async (column, value) => {
    change(`UPDATE "Submission" SET "${column}" = ?`, value)
    expect(await findings()).toContain(
      'its sender or the digest of what was sent is not what the ledger',
    )
  })

  it('finds a renamed subject', async () => {
    change('UPDATE "Subject" SET name = ?', 'claude')
    expect(await findings()).toMatch(/subject .*: it was renamed/)
  })

  it('finds other thresholds of a suite', async () => {
    change('UPDATE "Suite" SET thresholds = ?', canonicalJson({ aggregateEpisodes: 11 }))
    expect(await findings()).toContain(
      'suite sample: its thresholds are not those of ledger entry 1',
    )
  })

  it.each([
    ['changed', 'UPDATE "AuditEntry" SET actor = ?', 'somebody else'],
    ['removed', 'DELETE FROM "AuditEntry" WHERE actor = ?', 'ci'],
  ])('finds a line of the audit log that was %s', async (_, sql, value) => {
    change(sql, value)
    expect(await findings()).toContain(
      'audit log: the first 1 line of the audit log is not the one that was signed',
    )
  })

  it('finds an evidence file that was edited', async () => {
    const [episode] = episodes
    writeFileSync(join(dir, 'received', episode?.episodeId ?? '', 'subject.log'), 'edited')
    expect(await findings()).toContain('subject.log: is not what was sealed')
  })

  it('finds an end that was cut off, by the heads that it stores and by one from elsewhere', async () => {
    change('DELETE FROM "LedgerEntry" WHERE sequence = 4')
    expect(await findings()).toContain('ledger-heads.ndjson line 1: the head names entry 4')
    rmSync(join(dir, 'ledger-heads.ndjson'))
    expect(await findings()).not.toContain('cut off')
    expect(await findings(kept)).toContain('signed head: the head names entry 4')
  })

  it('finds a ledger that was rewritten completely, with all hashes recomputed, by an earlier head', async () => {
    rewrite()
    rmSync(join(dir, 'ledger-heads.ndjson'))
    expect(await findings()).toBe('')
    expect(await findings(kept)).toContain(
      'entry 4 is not the one that the head names: the ledger was rewr',
    )
  })
})

/** Changes the author of every entry, with an intact chain. */
function rewrite(): void {
  const db = openSqlite(join(dir, 'proofboard.db'))
  const rows = db.prepare('SELECT * FROM "LedgerEntry" ORDER BY sequence').all() as {
    sequence: number
    at: string
    reason: string
    action: string
  }[]
  let previous: LedgerEntry | null = null
  for (const row of rows) {
    const draft = { author: 'forger', reason: row.reason, action: JSON.parse(row.action) }
    previous = chainEntry(previous, draft, { now: new Date(row.at).toISOString() })
    db.prepare(
      'UPDATE "LedgerEntry" SET author = ?, "previousHash" = ?, hash = ? WHERE sequence = ?',
    ).run('forger', previous.previousHash, previous.hash, row.sequence)
  }
  db.close()
}

describe('an archive', () => {
  it('carries the signed head, and continues one from earlier', async () => {
    const to = join(root, 'archive')
    await exportArchive(dir, to)
    expect(verifyCopy(to, { head: kept }).problems).toEqual([])
    rewrite()
    const other = join(root, 'forged')
    await exportArchive(dir, other)
    expect(verifyCopy(other).problems).toEqual([])
    expect(verifyCopy(other, { head: kept }).problems[0]?.problem).toMatch(/was rewritten/)
    cpSync(join(to, 'ledger-head.json'), join(other, 'ledger-head.json'))
    expect(verifyCopy(other).problems.map(({ place }) => place)).toContain('ledger-head.json')
  })
})
