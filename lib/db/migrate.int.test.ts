import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MIGRATIONS_DIR } from '#lib/testing/factories/temporary-database.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite-file.ts'

const ALL = readdirSync(MIGRATIONS_DIR, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()
const FIRST = ALL[0]!

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'proofboard-migrate-'))
  file = join(dir, 'deep', 'proofboard.db')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Writes the migrations of an earlier version into a folder. */
function earlierMigrations(names: readonly string[] = [FIRST]): string {
  const earlier = join(dir, 'earlier')
  for (const name of names)
    cpSync(join(MIGRATIONS_DIR, name), join(earlier, name), { recursive: true })
  return earlier
}

function query<T>(sql: string): T[] {
  const db = openSqlite(file)
  try {
    return db.prepare(sql).all() as T[]
  } finally {
    db.close()
  }
}

function run(sql: string): void {
  const db = openSqlite(file)
  db.exec(sql)
  db.close()
}

const checksum = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

describe('migrate', () => {
  it('makes a new database, and has nothing to do the second time', () => {
    expect(migrate(file, MIGRATIONS_DIR)).toEqual(ALL)
    expect(migrate(file, MIGRATIONS_DIR)).toEqual([])
    expect(query('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
  })

  it('upgrades a database of an earlier version and loses no row', () => {
    expect(migrate(file, earlierMigrations())).toEqual([FIRST])
    run(`
      INSERT INTO Subject (id, kind, name) VALUES ('s', 'control', 'reference');
      INSERT INTO Plan VALUES ('p', 'mini', 'd', 's', 1, 2, '2026-01-01T00:00:00.000+00:00', '{}');
      INSERT INTO Run VALUES ('run_00000001', 'p', 'mini', 'local', '2026-01-01T00:00:00.000+00:00');
      INSERT INTO Job (id, payload, status, runId, createdAt)
        VALUES ('j', '{}', 'done', 'run_00000001', '2026-01-01T00:00:00.000+00:00');
      INSERT INTO Episode VALUES ('e', '{"whole":"envelope"}', 'local', NULL, '2026-01-01T00:00:00.000+00:00',
        'run_00000001', 'p', 'mini', 'd', 't', 'td', 's', 1, 1, 'solved', NULL, 'scaffold', 'pass',
        '2026-01-01T00:00:00.000+00:00', 12.5, 'seal', '{}');
    `)
    // The ledger is left out: its hashes gained an author, so it is started again from the stored runs.
    const tables = ['Subject', 'Plan', 'Run', 'Job', 'Episode']
    const before = tables.map((table) => query<object>(`SELECT * FROM ${table}`)[0])
    expect(migrate(file, MIGRATIONS_DIR)).toEqual(ALL.slice(1))
    const after = tables.map((table) => query<object>(`SELECT * FROM ${table}`)[0])
    for (const [index, row] of before.entries()) expect(after[index]).toMatchObject(row!)
    expect(query('PRAGMA foreign_key_check')).toEqual([])
    expect(query('SELECT leaseOwner FROM Job')).toEqual([{ leaseOwner: null }])
  })

  it('finds the rows of boards that were stored before there was an index of them', () => {
    const index = ALL.find((name) => name.endsWith('_board_row_ids'))!
    migrate(file, earlierMigrations(ALL.filter((name) => name < index)))
    const board = { rows: [{ rowId: 'row_a', aliases: ['row_b', 'row_a'] }, { rowId: 'row_c' }] }
    const columns = '(suiteDigest, suiteId, board, digest, computedAt)'
    run(`
      INSERT INTO BoardSnapshot ${columns} VALUES ('d1', 'mini', '${JSON.stringify(board)}', 'x', 0);
      INSERT INTO BoardSnapshot ${columns} VALUES ('d2', 'mini', '{"rows":[{"rowId":"row_a"}]}', 'x', 0);
      INSERT INTO BoardSnapshot ${columns} VALUES ('d3', 'mini', 'damaged', 'x', 0);
      INSERT INTO BoardSnapshot ${columns} VALUES ('d4', 'mini', '{"rows":[]}', 'x', 0);
    `)
    expect(migrate(file, MIGRATIONS_DIR)).toContain(index)
    expect(query('SELECT rowId, suiteDigest FROM BoardRowId ORDER BY 1, 2')).toEqual([
      { rowId: 'row_a', suiteDigest: 'd1' },
      { rowId: 'row_a', suiteDigest: 'd2' },
      { rowId: 'row_b', suiteDigest: 'd1' },
      { rowId: 'row_c', suiteDigest: 'd1' },
    ])
  })

  it('counts the slots that were cut short before they were counted', () => {
    const counted = ALL.find((name) => name.endsWith('_cancelled_slots'))!
    migrate(file, earlierMigrations(ALL.filter((name) => name < counted)))
    const at = '2026-01-01T00:00:00.000+00:00'
    const episode = (id: string, repetition: number, attempt: number, status: string) =>
      `('${id}', '{}', 'local', '${at}', 'run_a', 'p', 'mini', 'd', 't', 'td', 's', ${repetition}, ${attempt},
        '${status}', 'scaffold', '${at}', 1, 'seal-${id}', '{}')`
    run(`
      INSERT INTO "Subject" ("id", "kind", "name") VALUES ('s', 'control', 'reference');
      INSERT INTO "Plan" ("planDigest", "suiteId", "suiteDigest", "subjectId", "repetitions", "planned", "document")
        VALUES ('p', 'mini', 'd', 's', 3, 3, '{}');
      INSERT INTO "Run" ("runId", "planDigest", "suiteId", "provenance", "createdAt")
        VALUES ('run_a', 'p', 'mini', 'local', '${at}');
      INSERT INTO "Episode" ("episodeId", "envelope", "provenance", "receivedAt", "runId", "planDigest", "suiteId",
        "suiteDigest", "taskId", "taskDigest", "subjectId", "repetition", "attempt", "status", "mode", "startedAt",
        "totalMs", "seal", "fact")
      VALUES ${episode('a', 1, 1, 'cancelled')}, ${episode('b', 2, 1, 'cancelled')},
        ${episode('c', 2, 2, 'solved')}, ${episode('d', 3, 1, 'solved')};`)
    expect(migrate(file, MIGRATIONS_DIR)).toContain(counted)
    expect(query('SELECT "sealed", "solved", "cancelled" FROM "RunProgress"')).toEqual([
      { sealed: 3, solved: 2, cancelled: 1 },
    ])
  })

  it('refuses a database from a newer version in one line and touches nothing', () => {
    migrate(file, MIGRATIONS_DIR)
    run(`PRAGMA journal_mode = DELETE;
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
        VALUES ('x', 'y', '29990101000000_future', '2999-01-01')`)
    const before = checksum(file)
    expect(() => migrate(file, MIGRATIONS_DIR)).toThrow(
      expect.objectContaining({
        code: 'database-newer',
        message: expect.stringMatching(
          /^\S+: the database is from a newer version .*update Proofboard[^\n]*$/,
        ),
      }),
    )
    expect(checksum(file)).toBe(before)
    expect(readdirSync(join(dir, 'deep'))).toEqual(['proofboard.db'])
  })

  it('refuses a migration that was changed after it was applied', () => {
    const earlier = earlierMigrations()
    migrate(file, earlier)
    writeFileSync(join(earlier, FIRST, 'migration.sql'), 'SELECT 1;')
    expect(() => migrate(file, earlier)).toThrow(/was changed after it was applied/)
  })

  it('takes back everything when one migration fails', () => {
    const later = earlierMigrations()
    mkdirSync(join(later, '29990101000000_bad'))
    writeFileSync(
      join(later, '29990101000000_bad', 'migration.sql'),
      'CREATE TABLE half (a); CREATE TABLE half (a);',
    )
    expect(() => migrate(file, later)).toThrow(/half/)
    expect(query(`SELECT name FROM sqlite_master WHERE type = 'table'`)).toEqual([])
  })

  it('refuses a file that is not a database', () => {
    mkdirSync(join(dir, 'deep'))
    writeFileSync(
      file,
      'this is a text, not a database, and long enough to be seen as one'.repeat(20),
    )
    expect(() => migrate(file, MIGRATIONS_DIR)).toThrow(
      expect.objectContaining({ code: 'database-unusable' }),
    )
  })
})

it('names the sender of every run that was sent before senders were stored with it', () => {
  const earlier = join(dir, 'earlier')
  const before = ALL.filter((name) => name < '20261122120000_senders')
  for (const name of before)
    cpSync(join(MIGRATIONS_DIR, name), join(earlier, name), { recursive: true })
  migrate(file, earlier)
  const at = '2026-11-20T00:00:00.000+00:00'
  run(`
    INSERT INTO "Subject" ("id", "kind", "name") VALUES ('s', 'agent', 'a');
    INSERT INTO "Plan" ("planDigest", "suiteId", "suiteDigest", "subjectId", "repetitions", "planned", "document")
      VALUES ('p', 'x', 'y', 's', 1, 1, '{}');
    INSERT INTO "Run" ("runId", "planDigest", "suiteId", "provenance", "createdAt") VALUES
      ('run_token', 'p', 'x', 'token', '${at}'), ('run_oidc', 'p', 'x', 'oidc', '${at}'),
      ('run_manual', 'p', 'x', 'manual', '${at}'), ('run_local', 'p', 'x', 'local', '${at}');
    INSERT INTO "Submission" ("id", "bodyDigest", "bytes", "provenance", "actor", "voucher", "requestId", "receivedAt")
      VALUES ('1', 'b', 1, 'token', 'nightly', NULL, 'req_1', '${at}'),
        ('2', 'b', 1, 'oidc', 'acme/bench', 'https://issuer.example 4711', 'req_2', '${at}');
    INSERT INTO "SubmittedRun" ("runId", "submissionId") VALUES ('run_token', '1'), ('run_oidc', '2');
    INSERT INTO "AuditEntry" ("at", "actorKind", "actorId", "actor", "action", "detail", "requestId")
      VALUES ('${at}', 'token', 'tok_1', 'nightly', 'results.submit', '{}', 'req_1');`)
  expect(migrate(file, MIGRATIONS_DIR)).toContain('20261122120000_senders')
  expect(query('SELECT "runId", "voucher" FROM "Run" ORDER BY "runId"')).toEqual([
    { runId: 'run_local', voucher: null },
    { runId: 'run_manual', voucher: 'manual' },
    { runId: 'run_oidc', voucher: 'workflow:https://issuer.example 4711' },
    { runId: 'run_token', voucher: 'token:tok_1' },
  ])
})
