import { expect, it, vi } from 'vitest'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { withLongText } from './long-texts.ts'
import { inTransaction } from './transaction.ts'

const temporary = databaseForEach()

it('gives a query the whole text, alone and in a transaction, with any characters', async () => {
  const { db } = temporary
  const text = `${'ü'.repeat(300_000)}"\\\u2028🦀'\n${'x'.repeat(300_000)}`
  const read = (client: Pick<typeof db, '$queryRaw'>) =>
    withLongText(
      client,
      text,
      (argument) =>
        client.$queryRaw<{ text: string }[]>`SELECT CAST(${argument} AS TEXT) AS "text"`,
    )
  expect(await read(db)).toEqual([{ text }])
  expect(await inTransaction(db, (tx) => read(tx))).toEqual([{ text }])
})

it('keeps two texts at the same time apart, and a word whose text is gone is itself', async () => {
  const { db } = temporary
  const read = (text: string) =>
    withLongText(
      db,
      text,
      (argument) => db.$queryRaw<{ text: string }[]>`SELECT CAST(${argument} AS TEXT) AS "text"`,
    )
  const [[a], [b]] = await Promise.all([read('a'), read('b')])
  expect([a?.text, b?.text]).toEqual(['a', 'b'])
  const word = await withLongText(db, 'gone', async (argument) => argument)
  expect(await db.$queryRaw`SELECT CAST(${word} AS TEXT) AS "text"`).toEqual([{ text: word }])
})

it('reaches the driver from another copy of this module, as pages and routes of Next have', async () => {
  const { db } = temporary
  vi.resetModules()
  const other = await import('./long-texts.ts')
  expect(other.withLongText).not.toBe(withLongText)
  const query = (argument: string) =>
    db.$queryRaw<{ text: string }[]>`SELECT CAST(${argument} AS TEXT) AS "text"`
  expect(await other.withLongText(db, 'long', query)).toEqual([{ text: 'long' }])
})
