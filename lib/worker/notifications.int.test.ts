import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { saveBoard } from '#lib/db/board-store.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { refreshBoard } from '#lib/db/refresh-board.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import type { Board } from '#lib/domain/board/index.ts'
import type { Notification } from '#lib/domain/formats/index.ts'
import { numberedVersion, sampleRow, sampleTasks } from '#lib/testing/factories/sample-rows.ts'
import { sampleSuite } from '#lib/testing/factories/samples.ts'
import { followChanges } from './notifications.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-notify-'))
const suite = sampleSuite()
let board: Board

/** A ranked entry of that day. */
function rankedRow(day: string, solved: number): Board['rows'][number] {
  const row = sampleRow('agent-a', numberedVersion(12), sampleTasks(Array(12).fill(solved)))
  return {
    ...row,
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    rowId: `row_${day.padStart(24, '0')}`,
    firstStartedAt: `2025-01-${day}T01:00:00.000Z`,
    lastStartedAt: `2025-01-${day}T02:00:00.000Z`,
  }
}

const save = (rows: Board['rows'], ledgerSequence: number) =>
  saveBoard(database(), { ...board, rows }, { ledgerSequence, now: new Date() })

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_URL = 'https://board.example'
  await migrateDatabase()
  await saveSuite(database(), suite, new Date())
  board = await refreshBoard(database(), suite, new Date())
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

it('tells of a change that came after the start of the worker, once, and of none before', async () => {
  await save([rankedRow('01', 3), rankedRow('09', 0)], 2)
  const told: Notification[] = []
  const stop = new AbortController()
  const following = followChanges({
    db: database(),
    signal: stop.signal,
    workerId: 'worker_a',
    notify: (notification) => told.push(notification),
  })
  await pause(2000)
  expect(told).toEqual([])
  await save([rankedRow('01', 3), rankedRow('09', 0), rankedRow('20', 3)], 3)
  await expect.poll(() => told.length, { timeout: 60_000 }).toBe(1)
  await pause(6000)
  stop.abort()
  await following
  expect(told).toEqual([
    expect.objectContaining({
      kind: 'entry-changed',
      title: expect.stringMatching(/^agent-a.* solves more tasks of /),
      url: expect.stringMatching(/^https:\/\/board\.example\//),
    }),
  ])
})
