import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { openDb } from './open-db.ts'
import { openSqlite } from './sqlite-file.ts'
import { inTransaction } from './transaction.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
})
afterEach(() => temporary.close())

const worker = (id: string) => ({ id, pid: 1, startedAt: new Date(0), heartbeatAt: new Date(0) })

describe('SqliteDriver', () => {
  it('keeps a write that was made beside a transaction which is rolled back', async () => {
    const { db } = temporary
    let beside: Promise<unknown> | undefined
    const rolledBack = inTransaction(db, async (tx) => {
      await tx.worker.create({ data: worker('inside') })
      beside = db.worker.create({ data: worker('beside') }).then(() => {})
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new Error('roll back')
    })
    await expect(rolledBack).rejects.toThrow('roll back')
    await beside
    expect((await db.worker.findMany()).map(({ id }) => id)).toEqual(['beside'])
  })

  it('loses no read-modify-write of two connections', async () => {
    const other = openDb(temporary.file)
    await temporary.db.worker.create({ data: { ...worker('counter'), pid: 0 } })
    const increment = (db: typeof other) =>
      inTransaction(db, async (tx) => {
        const { pid } = await tx.worker.findUniqueOrThrow({ where: { id: 'counter' } })
        await tx.worker.update({ where: { id: 'counter' }, data: { pid: pid + 1 } })
      })
    const hand = async (db: typeof other) => {
      for (let turn = 0; turn < 40; turn++) await increment(db)
    }
    await Promise.all([hand(temporary.db), hand(other), hand(other)])
    expect(await other.worker.findUnique({ where: { id: 'counter' } })).toMatchObject({ pid: 120 })
    await other.$disconnect()
  })

  it('waits for another process without stopping the event loop, then says that the database is locked', async () => {
    const holder = openSqlite(temporary.file)
    holder.exec('BEGIN IMMEDIATE')
    const db = openDb(temporary.file, { waitMs: 800 })
    let longestMs = 0
    let last = performance.now()
    const ticker = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 5)
    await expect(db.worker.create({ data: worker('w') })).rejects.toThrow()
    clearInterval(ticker)
    expect(longestMs).toBeLessThan(600)
    holder.exec('ROLLBACK')
    await db.worker.create({ data: worker('w') })
    holder.close()
    await db.$disconnect()
  })
})
