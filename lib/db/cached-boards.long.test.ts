import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { buildBoard, serializeBoard } from '../domain/board/index.ts'
import { settleEnv } from '../env.ts'
import { RandomBoard } from '../testing/cases/random-board.ts'
import { sampleSuite } from '../testing/factories/samples.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '../testing/factories/temporary-database.ts'
import { findBoardTexts } from './board-text-store.ts'
import { CachedBoards } from './cached-boards.ts'
import { closeDatabase, database } from './database.ts'
import type { Db } from './db.ts'
import { openDb } from './open-db.ts'
import { readBoardInput } from './refresh-board.ts'
import { listMeasuredVersions, saveSuite } from './suite-store.ts'

/** Each seed runs on its own server. The values have no special meaning. */
const SEEDS = [1, 2, 3, 4, 5, 6]
const STEPS = 80

let temporary: TemporaryDatabase
beforeAll(() => vi.stubEnv('PROOFBOARD_LOG_LEVEL', 'silent'))
afterAll(() => vi.unstubAllEnvs())

const versions = () => listMeasuredVersions(database(), 'sample')

it.each(SEEDS)(
  'what two workers keep of a board is what a rebuild gives, whatever happened (seed %s)',
  async (seed) => {
    temporary = await temporaryDatabase()
    vi.stubEnv('PROOFBOARD_DATA_DIR', temporary.dir)
    settleEnv(process.cwd())
    const other = openDb(temporary.place, { waitMs: 20_000 })
    try {
      await saveSuite(database(), sampleSuite(), new Date())
      const world = new RandomBoard(seed)
      const workers = [new CachedBoards(), new CachedBoards()]
      for (let step = 0; step < STEPS; step++) {
        await world.act(step % 2 ? other : database())
        if (world.chance(0.3)) await actAtOnce(world, workers[0] as CachedBoards, other)
        if (world.chance(0.1)) workers[step % 2] = new CachedBoards()
        await expectRebuilt(workers[world.chance(0.8) ? 0 : 1] as CachedBoards)
      }
    } finally {
      await other.$disconnect()
      await closeDatabase()
      await temporary.close()
    }
  },
  120_000,
)

/** Performs two actions at once, while a board is computed. */
async function actAtOnce(world: RandomBoard, worker: CachedBoards, other: Db): Promise<void> {
  const [suite] = await versions()
  const computed = suite && worker.refresh(other, suite, new Date())
  await Promise.all([world.act(database()), world.act(other), computed])
}

async function expectRebuilt(boards: CachedBoards): Promise<void> {
  const db = database()
  for (const suite of await versions()) {
    const kept = serializeBoard(await boards.refresh(db, suite, new Date()))
    const { input, ledgerSequence } = await readBoardInput(db, suite)
    expect(kept).toBe(serializeBoard(buildBoard(input)))
    const stored = await findBoardTexts(db, suite.digest)
    expect(stored).toMatchObject({ text: kept, ledgerSequence })
  }
}
