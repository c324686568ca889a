import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REGRADES_FILE, type RegradeLine } from '#lib/domain/record/index.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { SAMPLE_RUN_ID, sampleEpisode, sampleSuite } from '#lib/testing/factories/samples.ts'
import { readBoardInput } from './refresh-board.ts'
import { copyRegrades, listRegrades } from './regrade-store.ts'
import { inTransaction } from './transaction.ts'

const temporary = databaseForEach()

const { episodeId } = sampleEpisode()
const LINE: RegradeLine = {
  at: '2026-01-02T00:00:00.000Z',
  episodeId,
  path: 'episodes/alpha/r1-a1/regrade-1.json',
  gate: { version: '0.1.0', commit: null },
  before: { status: 'solved', verdict: 'pass' },
  after: { status: 'unsolved', verdict: 'fail' },
  agrees: false,
}

it('a transaction that is taken back has no say in which regrades were copied', async () => {
  const { db, dir } = temporary
  const runsDir = join(dir, 'runs')
  mkdirSync(join(runsDir, SAMPLE_RUN_ID), { recursive: true })
  writeFileSync(join(runsDir, SAMPLE_RUN_ID, REGRADES_FILE), `${JSON.stringify(LINE)}\n`)
  const takenBack = inTransaction(db, async (tx) => {
    await readBoardInput(tx, sampleSuite())
    throw new Error('taken back')
  })
  await expect(takenBack).rejects.toThrow('taken back')
  expect(await listRegrades(db, SAMPLE_RUN_ID), 'reading writes nothing').toEqual([])
  await copyRegrades(db, runsDir)
  expect(await listRegrades(db, SAMPLE_RUN_ID)).toEqual([LINE])
})

it('one that cannot be read does not hold up those of other runs', async () => {
  const { db, dir } = temporary
  const runsDir = join(dir, 'runs')
  const broken = join(runsDir, 'run_broken001')
  mkdirSync(join(runsDir, SAMPLE_RUN_ID), { recursive: true })
  symlinkSync(broken, broken)
  writeFileSync(join(runsDir, SAMPLE_RUN_ID, REGRADES_FILE), `${JSON.stringify(LINE)}\n`)
  await copyRegrades(db, runsDir)
  expect(await listRegrades(db, SAMPLE_RUN_ID)).toEqual([LINE])
})
