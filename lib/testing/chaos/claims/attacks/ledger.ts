import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite, type SqliteFile } from '#lib/db/sqlite-file.ts'
import { canonicalJson } from '#lib/domain/digest/index.ts'
import { chainEntry, type LedgerEntry } from '#lib/domain/ledger/index.ts'
import { startProofboard } from '../../../factories/proofboard-command.ts'
import { type BoardAttack, expectRefused } from '../attack.ts'
import type { AttackedBoard } from '../attacked-board.ts'

type Forgery = (db: SqliteFile, folder: string) => void
const OLD = '2025-01-01T00:00:00.000Z'

/** Changes by the owner of the database that `ledger verify` must find, if necessary with an earlier head. */
const forged = (name: string, tries: string, words: RegExp, forge: Forgery): BoardAttack => ({
  name,
  tries,
  expected: expectRefused(words),
  play: async (ground) => {
    const head = JSON.stringify(await ground.get('/api/v1/ledger/head'))
    const folder = mkdtempSync(join(tmpdir(), 'proofboard-forged-'))
    try {
      await copyWhole(ground, folder, head)
      const db = openSqlite(join(folder, 'proofboard.db'))
      db.pragma('foreign_keys = OFF')
      forge(db, folder)
      db.close()
      const { code, text } = await verify(folder, head)
      return { answer: { status: code === 0 ? 200 : 422, text, body: {} }, runIds: [] }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

const run = (db: SqliteFile, sql: string, ...values: unknown[]): void => {
  if (db.prepare(sql).run(...values).changes === 0) throw new Error(`nothing was forged by ${sql}`)
}

/** Forgeries of the evidence for ranked rows. */
export const LEDGER_ATTACKS: readonly BoardAttack[] = [
  forged(
    'ledger-frozen-at',
    'an older frozenAt in document and column',
    /frozen at another time/,
    (db) => {
      const plans = db.prepare('SELECT "planDigest" AS digest, document FROM "Plan"').all()
      for (const { digest, document } of plans as { digest: string; document: string }[]) {
        const forgedPlan = canonicalJson({ ...JSON.parse(document), frozenAt: OLD })
        run(
          db,
          'UPDATE "Plan" SET document = ?, "frozenAt" = ? WHERE "planDigest" = ?',
          forgedPlan,
          OLD,
          digest,
        )
      }
    },
  ),
  forged('ledger-receipts', 'older times of receipt', /times of receipt/, (db) =>
    run(db, 'UPDATE "Episode" SET "receivedAt" = ?', '2026-01-01T00:00:00.000+00:00'),
  ),
  forged(
    'ledger-sender',
    'another sender of what was submitted',
    /sender or the digest of what was sent/,
    (db) => run(db, 'UPDATE "Submission" SET actor = ?', 'somebody'),
  ),
  forged('ledger-entry', 'one entry changed', /./, (db) =>
    run(db, 'UPDATE "LedgerEntry" SET reason = ? WHERE sequence = 3', 'forged'),
  ),
  forged(
    'ledger-cut',
    'the end of the ledger cut off, and the stored heads with it',
    /its end was cut/,
    (db, folder) => {
      run(
        db,
        'DELETE FROM "LedgerEntry" WHERE sequence > (SELECT MAX(sequence) - 2 FROM "LedgerEntry")',
      )
      rmSync(join(folder, 'ledger-heads.ndjson'), { force: true })
    },
  ),
  forged(
    'ledger-rewritten',
    'the whole ledger rewritten, every hash recomputed',
    /was rewritten/,
    (db, folder) => {
      rewrite(db)
      rmSync(join(folder, 'ledger-heads.ndjson'), { force: true })
    },
  ),
]

function rewrite(db: SqliteFile): void {
  type Row = { sequence: number; at: string; reason: string; action: string }
  const rows = db.prepare('SELECT * FROM "LedgerEntry" ORDER BY sequence').all() as Row[]
  let previous: LedgerEntry | null = null
  for (const { sequence, at, reason, action } of rows) {
    const draft = { author: 'forger', reason, action: JSON.parse(action) }
    previous = chainEntry(previous, draft, { now: new Date(at).toISOString() })
    const sql =
      'UPDATE "LedgerEntry" SET author = ?, "previousHash" = ?, hash = ? WHERE sequence = ?'
    run(db, sql, 'forger', previous.previousHash, previous.hash, sequence)
  }
}

/** Copies until the copy is consistent; the board of a running server may lag behind. */
async function copyWhole(ground: AttackedBoard, folder: string, head: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    copyServer(ground, folder)
    const clean = await verify(folder, head)
    if (clean.code === 0) return
    if (tries === 20) throw new Error(`the copy is broken before the attack: ${clean.text}`)
  }
}

/** Copies the server's current data. */
function copyServer({ copy }: AttackedBoard, folder: string): void {
  for (const name of ['ledger-key', 'ledger-heads.ndjson', 'received', 'runs', 'suites'])
    cpSync(join(copy.dataDir, name), join(folder, name), { recursive: true, force: true })
  const db = openSqlite(join(copy.dataDir, 'proofboard.db'))
  db.prepare('VACUUM INTO ?').run(join(folder, 'proofboard.db'))
  db.close()
}

async function verify(
  folder: string,
  head: string,
): Promise<{ code: number | null; text: string }> {
  const file = join(folder, 'earlier-head.json')
  writeFileSync(file, head)
  const args = ['ledger', 'verify', '--head', file]
  const { code, stdout, stderr } = await startProofboard(folder, args).ended
  const problems = stderr.trim().split('\n').filter(Boolean)
  return { code, text: problems.join(' | ').slice(0, 4000) || stdout.trim() }
}
