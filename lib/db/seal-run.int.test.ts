import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestRun, findBrokenLink } from '#lib/domain/ledger/index.ts'
import type { EpisodeBody } from '#lib/domain/record/index.ts'
import { SAMPLE_RUN_ID, sampleEpisode, sampleSuite } from '#lib/testing/factories/samples.ts'
import {
  saveSampleRun,
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { countOutcomes } from './episode-store.ts'
import { listLedger } from './ledger-store.ts'
import { openDb } from './open-db.ts'
import { saveEpisode } from './save-episode.ts'
import { includeStoredRuns, listUnsealedRuns, sealRun } from './seal-run.ts'
import { saveSuite } from './suite-store.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
  await saveSampleRun(temporary.db)
})
afterEach(() => temporary.close())

const at = (second: number) => new Date(second * 1000)
const save = (changes: Partial<EpisodeBody>, receivedAt: Date) => {
  const receipt = { provenance: 'local', directory: null, receivedAt } as const
  return saveEpisode(temporary.db, JSON.stringify(sampleEpisode(changes)), receipt)
}
const kinds = async () => {
  const entries = await listLedger(temporary.db)
  expect(findBrokenLink(entries)).toBeNull()
  return entries.map(({ action }) => action.kind)
}

describe('sealRun', () => {
  it('writes what the run holds once, however often and from wherever it is asked', async () => {
    expect(await sealRun(temporary.db, SAMPLE_RUN_ID, at(1))).toBe('empty')
    await save({}, at(1))
    await save({ repetition: 2 }, at(2))
    const other = openDb(temporary.place)
    const answers = await Promise.all([
      sealRun(temporary.db, SAMPLE_RUN_ID, at(3)),
      sealRun(other, SAMPLE_RUN_ID, at(3)),
    ])
    await other.$disconnect()
    expect(answers.sort()).toEqual(['sealed', 'unchanged'])
    expect(await sealRun(temporary.db, SAMPLE_RUN_ID, at(4))).toBe('unchanged')
    expect(await kinds()).toEqual(['include', 'seal-run'])
    const [, sealed] = await listLedger(temporary.db)
    const digest = digestRun([sampleEpisode({ repetition: 2 }), sampleEpisode()])
    expect(sealed?.action).toMatchObject({ target: SAMPLE_RUN_ID, episodes: 2, digest })
  })

  it('seals a continued run again, and never one that lost an episode', async () => {
    await save({}, at(1))
    await save({ repetition: 2 }, at(1))
    await sealRun(temporary.db, SAMPLE_RUN_ID, at(2))
    await save({ attempt: 2 }, at(3))
    expect(await sealRun(temporary.db, SAMPLE_RUN_ID, at(4))).toBe('sealed')
    await temporary.db.episode.delete({ where: { episodeId: sampleEpisode().episodeId } })
    await save({ attempt: 3 }, at(5))
    await expect(sealRun(temporary.db, SAMPLE_RUN_ID, at(6))).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await kinds()).toEqual(['include', 'seal-run', 'seal-run'])
  })

  it('covers what was received up to its own time, also where the clock was set back', async () => {
    await save({}, at(10))
    expect(await sealRun(temporary.db, SAMPLE_RUN_ID, at(5))).toBe('sealed')
    await save({ attempt: 2 }, at(3))
    expect(await sealRun(temporary.db, SAMPLE_RUN_ID, at(4))).toBe('sealed')
    const seals = (await listLedger(temporary.db)).filter(
      ({ action }) => action.kind === 'seal-run',
    )
    const received = await temporary.db.episode.findMany({ orderBy: { receivedAt: 'asc' } })
    const counts = seals.map((seal) => {
      const until = new Date(seal.at)
      return received.filter(({ receivedAt }) => receivedAt <= until).length
    })
    expect(counts).toEqual([1, 2])
  })

  it('is due for a run with episodes that no seal covers', async () => {
    await save({}, at(1))
    expect(await listUnsealedRuns(temporary.db)).toEqual([SAMPLE_RUN_ID])
    await sealRun(temporary.db, SAMPLE_RUN_ID, at(2))
    expect(await listUnsealedRuns(temporary.db)).toEqual([])
    await save({ attempt: 2 }, at(3))
    expect(await listUnsealedRuns(temporary.db)).toEqual([SAMPLE_RUN_ID])
  })

  it('leaves active runs alone', async () => {
    await save({}, at(1))
    expect(await listUnsealedRuns(temporary.db)).toEqual([SAMPLE_RUN_ID])
    const job = { id: 'job_1', payload: '{}', createdAt: at(0), runId: SAMPLE_RUN_ID }
    await temporary.db.job.create({ data: { ...job, status: 'running' } })
    expect(await listUnsealedRuns(temporary.db)).toEqual([])
    await temporary.db.job.updateMany({ data: { status: 'failed' } })
    expect(await listUnsealedRuns(temporary.db)).toEqual([SAMPLE_RUN_ID])
  })
})

it('with any number of runs those that are not in the ledger are found', {
  tags: 'night',
}, async () => {
  const { db } = temporary
  await save({}, at(1))
  const run = await db.run.findUniqueOrThrow({ where: { runId: SAMPLE_RUN_ID } })
  const episode = await db.episode.findFirstOrThrow()
  const many = Array.from({ length: 1500 }, (_, number) => ({
    runId: `run_many${String(number).padStart(6, '0')}`,
    episodeId: `ep_${String(number).padStart(32, '0')}`,
  }))
  await db.run.createMany({ data: many.map(({ runId }) => ({ ...run, runId })) })
  await db.episode.createMany({ data: many.map((ids) => ({ ...episode, ...ids })) })
  const runIds = many.map(({ runId }) => runId)
  await writeIncludes(runIds.slice(1))
  expect(await includeStoredRuns(db, at(2))).toBe(1)
  expect(await countOutcomes(db, runIds)).toEqual([expect.objectContaining({ episodes: 1500 })])
})

/** Writes the entries in one statement, before the first entry: this test does not need a valid chain. */
async function writeIncludes(runIds: readonly string[]): Promise<void> {
  const { db } = temporary
  const blank = { at: at(1), author: 'server', reason: 'first', kind: 'include', action: '{}' }
  const data = runIds.map((target, number) => {
    return { ...blank, target, sequence: -1 - number, previousHash: null, hash: `${number}` }
  })
  await db.ledgerEntry.createMany({ data })
}

it('a database from before the ledger: each run with episodes is included once', async () => {
  await save({}, at(1))
  await temporary.db.ledgerEntry.deleteMany()
  expect(await includeStoredRuns(temporary.db, at(2))).toBe(1)
  expect(await includeStoredRuns(temporary.db, at(3))).toBe(0)
  const [entry] = await listLedger(temporary.db)
  expect(entry?.action).toMatchObject({ kind: 'include', target: SAMPLE_RUN_ID, shard: null })
})

it('a suite is written down when it appears and when its digest changes, not when it is read again', async () => {
  const [one, two] = [sampleSuite('1.0.0'), sampleSuite('2.0.0')]
  for (const [second, suite] of [one, one, two, two, one].entries())
    await saveSuite(temporary.db, suite, at(second))
  const entries = await listLedger(temporary.db)
  expect(
    entries.map(({ action }) => action.kind === 'task-version' && [action.from, action.to]),
  ).toEqual([
    [null, one.digest],
    [one.digest, two.digest],
    [two.digest, one.digest],
  ])
  expect(entries[1]).toMatchObject({ author: 'server', action: { changed: ['alpha', 'beta'] } })
})
