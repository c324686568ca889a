import { afterEach, beforeEach, expect, it } from 'vitest'
import { sampleEpisode, sampleSuite } from '#lib/testing/factories/samples.ts'
import {
  saveSampleRun,
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { digestBytes } from '../domain/digest/index.ts'
import { findBoard, listAllBoards, listStaleSuites } from './board-store.ts'
import { findBoardTexts } from './board-text-store.ts'
import { refreshBoard } from './refresh-board.ts'
import { saveEpisode } from './save-episode.ts'
import { saveSuite } from './suite-store.ts'

const NOW = new Date('2026-12-01T00:00:00.000Z')
// Each test has its own suite, because a process caches boards that it has read.
let suite = { ...sampleSuite(), digest: sampleEpisode().suiteDigest }
let temporary: TemporaryDatabase

beforeEach(async () => {
  temporary = await temporaryDatabase()
  suite = { ...suite, title: `${suite.title} again` }
  const { db } = temporary
  await saveSampleRun(db)
  await saveSuite(db, suite, NOW)
  const receipt = { provenance: 'manual', directory: null, receivedAt: NOW } as const
  await saveEpisode(db, JSON.stringify(sampleEpisode()), receipt)
  await refreshBoard(db, suite, NOW)
})
afterEach(() => temporary.close())

/** Writes the whole board in one column without sorting rows, like a version that does not store rows separately. */
async function writeWhole(): Promise<void> {
  const text = (await findBoardTexts(temporary.db, suite.digest))?.text ?? ''
  const data = { board: text, digest: digestBytes(text) }
  await temporary.db.boardSnapshot.updateMany({ data })
}

it.each([
  ['an earlier version wrote', writeWhole],
  ['has another row', () => temporary.db.boardRow.updateMany({ data: { text: '{}' } })],
  ['lacks a row', () => temporary.db.boardRow.deleteMany()],
])('refuses a stored board that %s, and leaves it to be built again', async (_, damage) => {
  const { db } = temporary
  await damage()
  await expect(findBoard(db, suite.digest)).rejects.toMatchObject({
    code: 'database-busy',
    message: expect.stringContaining('is being built again'),
  })
  expect(await listAllBoards(db)).toEqual([])
  expect(await listStaleSuites(db, 0)).toEqual([suite.suiteId])
  const { rows } = await refreshBoard(db, suite, NOW)
  expect((await findBoard(db, suite.digest))?.board.rows).toEqual(rows)
})
