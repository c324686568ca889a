import { afterEach, beforeEach, expect, it } from 'vitest'
import { sampleEpisode, sampleSuite } from '#lib/testing/factories/samples.ts'
import {
  saveSampleRun,
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { listSuitesBehind, refreshBoard } from './board-store.ts'
import { lastBoardEntry } from './ledger-store.ts'
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
  const behind = async () => listSuitesBehind(db, await lastBoardEntry(db))
  const suite = { ...sampleSuite(), digest: sampleEpisode().suiteDigest }
  await saveSuite(db, suite, new Date(0))
  expect(await behind()).toEqual([])
  const receipt = { provenance: 'manual', directory: null, receivedAt: new Date(1000) } as const
  await saveEpisode(db, JSON.stringify(sampleEpisode()), receipt)
  expect(await behind()).toEqual([suite.suiteId])
  await refreshBoard(db, suite, new Date(2000))
  expect(await behind()).toEqual([])
})
