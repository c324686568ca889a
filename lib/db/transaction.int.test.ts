import { expect, it } from 'vitest'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { dialectOf } from './dialect.ts'
import { inTransaction } from './transaction.ts'

const temporary = databaseForEach()

it('knows inside of a transaction which database it talks to', async () => {
  const inside = await inTransaction(temporary.db, async (tx) => dialectOf(tx))
  expect(inside).toBe(dialectOf(temporary.db))
})

it('runs work again that another transaction crossed, and keeps nothing of the first try', async () => {
  const { db } = temporary
  let tries = 0
  await inTransaction(db, async (tx) => {
    tries += 1
    await tx.preset.create({
      data: {
        id: `preset_${tries}`,
        name: `try ${tries}`,
        fields: '{}',
        createdBy: 'a test',
        createdAt: new Date(),
        updatedAt: new Date(),
      },
    })
    if (tries < 3) throw Object.assign(new Error('could not serialize access'), { code: '40001' })
  })
  expect((await db.preset.findMany()).map(({ name }) => name)).toEqual(['try 3'])
})

it('gives an error of the work itself back at once', async () => {
  let tries = 0
  const failing = inTransaction(temporary.db, async () => {
    tries += 1
    throw new Error('a bug')
  })
  await expect(failing).rejects.toThrow('a bug')
  expect(tries).toBe(1)
})
