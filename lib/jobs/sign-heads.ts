import { createHash, type Hash } from 'node:crypto'
import { readHeads, storeHead } from '#lib/archive/check-heads.ts'
import { signHead } from '#lib/archive/ledger-key.ts'
import type { Db } from '#lib/db/database.ts'
import { findLastOfAll } from '#lib/db/ledger-store.ts'
import { auditLineText } from '#lib/domain/audit-line.ts'
import type { Digest } from '#lib/domain/digest.ts'
import { describeHead } from '#lib/domain/ledger/signed-head.ts'
import { env } from '#lib/env.ts'
import { createLog } from '#lib/log.ts'

const LINES_AT_ONCE = 1000
const log = createLog('ledger')

/**
 * Signs the ledger's head whenever it has grown, and stores every head: whoever changes the ledger or the audit log without
 * the server's key, or with an earlier head in somebody's hands, is found out by `ledger verify`.
 */
export class HeadSigner {
  readonly #db: Db
  readonly #audit: Hash = createHash('sha256')
  #lines = 0
  #lastAuditId = 0
  #signed: number

  constructor(db: Db) {
    this.#db = db
    const heads = readHeads(env().dataDir)
    this.#signed = Math.max(0, ...heads.map((head) => head?.sequence ?? 0))
  }

  /** Stores a new head if the ledger has grown since the last one. */
  async sign(): Promise<void> {
    const last = await findLastOfAll(this.#db)
    if (!last || last.sequence === this.#signed) return
    if (last.sequence < this.#signed) {
      log.error('the ledger ends before a head that was signed: see proofboard ledger verify', {
        ends: last.sequence,
        signed: this.#signed,
      })
      this.#signed = last.sequence
      return
    }
    await this.#readAudit()
    const digest: Digest = `sha256:${this.#audit.copy().digest('hex')}`
    const { dataDir } = env()
    storeHead(signHead(describeHead(last, { lines: this.#lines, digest }), dataDir), dataDir)
    this.#signed = last.sequence
  }

  async #readAudit(): Promise<void> {
    for (;;) {
      const rows = await this.#db.auditEntry.findMany({
        where: { id: { gt: this.#lastAuditId } },
        orderBy: { id: 'asc' },
        take: LINES_AT_ONCE,
      })
      for (const row of rows) {
        this.#audit.update(auditLineText({ ...row, at: row.at.toISOString() }))
        this.#lines++
        this.#lastAuditId = row.id
      }
      if (rows.length < LINES_AT_ONCE) return
    }
  }
}
