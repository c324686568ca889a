import { copyFileSync, renameSync, rmSync } from 'node:fs'
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

describe('SqliteDriver', { tags: 'on-sqlite' }, () => {
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
    const other = openDb(temporary.place)
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

  it('brings a transaction to the disk before it is answered, and lets single statements be quick', async () => {
    const { db } = temporary
    const mode = async (on: Pick<typeof db, '$queryRawUnsafe'>) =>
      Object.values((await on.$queryRawUnsafe<Record<string, unknown>[]>('PRAGMA synchronous'))[0]!)
    const [FULL, NORMAL] = [[2n], [1n]]
    expect(await inTransaction(db, (tx) => mode(tx))).toEqual(FULL)
    expect(await mode(db)).toEqual(NORMAL)
    await expect(
      inTransaction(db, async (tx) => {
        await tx.worker.create({ data: worker('w') })
        throw new Error('roll back')
      }),
    ).rejects.toThrow('roll back')
    expect(await mode(db)).toEqual(NORMAL)
  })

  it.each(['removed', 'replaced', 'moved'])(
    'refuses everything once the file is %s',
    async (how) => {
      const { db, place: file } = temporary
      await db.worker.create({ data: worker('before') })
      const aside = `${file}.aside`
      if (how === 'removed') rmSync(file)
      else renameSync(file, aside)
      if (how === 'replaced') copyFileSync(aside, file)
      const message = /moved, replaced or removed while it was in use: nothing more is written/
      await expect(db.worker.create({ data: worker('after') })).rejects.toThrow(message)
      await expect(inTransaction(db, (tx) => tx.worker.count())).rejects.toThrow(message)
      await expect(db.worker.count()).rejects.toThrow(message)
      if (how === 'removed') return
      renameSync(aside, file)
      expect(
        (await db.worker.findMany()).map(({ id }) => id),
        'put back, it goes on',
      ).toEqual(['before'])
    },
  )

  it('answers no commit whose file went away meanwhile', async () => {
    const { db, place: file } = temporary
    const late = inTransaction(db, async (tx) => {
      await tx.worker.create({ data: worker('late') })
      renameSync(file, `${file}.aside`)
    })
    await expect(late).rejects.toThrow('moved, replaced or removed')
    renameSync(`${file}.aside`, file)
    expect(await db.worker.count(), 'the connection is free again').toBe(1)
  })

  it('waits for another process without stopping the event loop, then says that the database is locked', async () => {
    const holder = openSqlite(temporary.place)
    holder.exec('BEGIN IMMEDIATE')
    const db = openDb(temporary.place, { waitMs: 800 })
    let ticks = 0
    const ticker = setInterval(() => {
      ticks += 1
    }, 5)
    await expect(db.worker.create({ data: worker('w') })).rejects.toThrow()
    clearInterval(ticker)
    // A blocked loop would tick once at most, however busy the machine is.
    expect(ticks).toBeGreaterThan(2)
    holder.exec('ROLLBACK')
    await db.worker.create({ data: worker('w') })
    holder.close()
    await db.$disconnect()
  })
})
