import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBoard } from '#lib/db/board-store.ts'
import { evidenceLabelSchema } from '#lib/domain/board/board-row.ts'
import { type TemporaryDatabase, temporaryDatabase } from '../temporary-database.ts'
import { demoSuite } from './demo-suite.ts'
import { seedDemo } from './seed-demo.ts'

let temporary: TemporaryDatabase
beforeAll(async () => {
  temporary = await temporaryDatabase()
  await seedDemo(temporary.db)
})
afterAll(() => temporary.close())

it('makes a board with a row of every label, each refused one with its reasons', async () => {
  const record = await findBoard(temporary.db, demoSuite().digest)
  const rows = record?.board.rows ?? []
  expect(new Set(rows.map(({ label }) => label))).toEqual(new Set(evidenceLabelSchema.options))
  for (const { label, refusals, rank } of rows) {
    const isClaim = label === 'primary' || label === 'stress'
    expect([refusals.length === 0, rank !== null]).toEqual([isClaim, isClaim])
  }
  expect((await findBoard(temporary.db, demoSuite(1).digest))?.board.rows).toHaveLength(1)
})
