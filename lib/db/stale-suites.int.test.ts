import { afterEach, beforeEach, expect, it } from 'vitest'
import { sampleEpisode, sampleSuite } from '#lib/testing/factories/samples.ts'
import {
  saveSampleRun,
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { hasRow, listRowRanks, listStaleSuites } from './board-store.ts'
import { lastBoardEntry } from './ledger-store.ts'
import { refreshBoard } from './refresh-board.ts'
import { saveEpisode } from './save-episode.ts'
import { saveSuite } from './suite-store.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
  await saveSampleRun(temporary.db)
})
afterEach(() => temporary.close())

it('finds the suite whose first episode another process wrote, and leaves it once it has a board', async () => {
  const { db } = temporary
  const behind = async () => listStaleSuites(db, await lastBoardEntry(db))
  const suite = { ...sampleSuite(), digest: sampleEpisode().suiteDigest }
  await saveSuite(db, suite, new Date(0))
  expect(await behind()).toEqual([])
  const receipt = { provenance: 'manual', directory: null, receivedAt: new Date(1000) } as const
  await saveEpisode(db, JSON.stringify(sampleEpisode()), receipt)
  expect(await behind()).toEqual([suite.suiteId])
  const { rows } = await refreshBoard(db, suite, new Date(2000))
  expect(await behind()).toEqual([])
  const rowId = rows[0]?.rowId ?? ''
  expect(await hasRow(db, rowId)).toBe(true)
  expect((await listRowRanks(db, [rowId, 'row_unknown'])).get(rowId)).toMatchObject({
    suiteId: suite.suiteId,
  })
  await db.episode.deleteMany()
  await refreshBoard(db, suite, new Date(3000))
  expect(await hasRow(db, rowId)).toBe(false)
})
