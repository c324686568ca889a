import { expect, it } from 'vitest'
import { appendLedger } from '#lib/db/ledger-store.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { checkChain } from './check-chain.ts'

const temporary = databaseForEach()

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))

const append = (target: string) =>
  appendLedger(
    temporary.db,
    { author: 'tester', reason: 'because', action: { kind: 'remove', target } },
    at(0),
  )

const change = (sequence: number, reason: string) =>
  temporary.db.ledgerEntry.update({ where: { sequence }, data: { reason } })

it('reads the whole chain every ten minutes, and in between what was added', async () => {
  const { db } = temporary
  for (const target of ['run_a', 'run_b', 'run_c']) await append(target)
  expect(await checkChain(db, at(0))).toMatchObject({ broken: null, last: { sequence: 3 } })
  await change(1, 'another')
  await append('run_d')
  const between = await checkChain(db, at(9))
  expect(between).toMatchObject({ broken: null, last: { sequence: 4 }, wholeAt: at(0) })
  const whole = await checkChain(db, at(10))
  expect(whole).toMatchObject({ broken: 'entry 1 was changed after it was written' })
  await change(1, 'because')
  expect(await checkChain(db, at(10))).toMatchObject({ broken: null, wholeAt: at(10) })
})

it('finds entries added by hand, and a truncated or rewritten end, immediately', async () => {
  const { db } = temporary
  const added = [await append('run_a'), await append('run_b')]
  expect(await checkChain(db, at(0))).toMatchObject({ broken: null })
  await append('run_c')
  await change(3, 'another')
  expect((await checkChain(db, at(1))).broken).toContain('entry 3 was changed')
  await db.ledgerEntry.deleteMany({ where: { sequence: { gte: 2 } } })
  expect(await checkChain(db, at(1))).toMatchObject({ broken: null, last: added[0] })
  await change(1, 'another')
  await db.ledgerEntry.update({ where: { sequence: 1 }, data: { hash: added[1]?.hash ?? '' } })
  expect((await checkChain(db, at(2))).broken).toContain('entry 1 was changed')
})
