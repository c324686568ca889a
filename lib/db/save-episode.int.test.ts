import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canonicalJson } from '#lib/domain/digest/index.ts'
import { findBrokenLink } from '#lib/domain/ledger/index.ts'
import type { EpisodeBody } from '#lib/domain/record/index.ts'
import { sampleEpisode, samplePlan } from '#lib/testing/factories/samples.ts'
import {
  saveSampleRun,
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { countProgress, findEpisode, listEpisodeCells, listFacts } from './episode-store.ts'
import { listLedger } from './ledger-store.ts'
import { openDb } from './open-db.ts'
import { saveEpisode } from './save-episode.ts'
import { rederiveEpisode, unpackEnvelope } from './stored-episode.ts'
import { inTransaction } from './transaction.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
  await saveSampleRun(temporary.db)
})
afterEach(() => temporary.close())

const RECEIPT = { provenance: 'local', directory: 'runs/x', receivedAt: new Date(0) } as const
const FAILED: Partial<EpisodeBody> = {
  outcome: { status: 'unsolved', reason: 'two tests failed' },
  failureCategory: 'test-failure',
  contract: { verdict: 'fail', assertions: [], expectedTests: 8, executedTests: 8, passedTests: 6 },
  testSuccess: false,
  overallSuccess: false,
}
const VOID: Partial<EpisodeBody> = {
  outcome: { status: 'void', fault: 'harness', reason: 'our bug' },
  failureCategory: 'harness',
  contract: null,
  testSuccess: false,
  overallSuccess: false,
}
const text = (changes: Partial<EpisodeBody> = {}) => JSON.stringify(sampleEpisode(changes), null, 2)
const save = (changes: Partial<EpisodeBody> = {}) =>
  saveEpisode(temporary.db, text(changes), RECEIPT)

describe('saveEpisode', () => {
  it('keeps the whole envelope once, however often it comes', async () => {
    expect(await save()).toBe('saved')
    expect(await save()).toBe('duplicate')
    const { episodeId } = sampleEpisode()
    const kept = await findEpisode(temporary.db, episodeId)
    expect(kept).toEqual({ episode: sampleEpisode(), provenance: 'local', directory: 'runs/x' })
    const row = await temporary.db.episode.findUniqueOrThrow({ where: { episodeId } })
    expect(unpackEnvelope(row.envelope)).toBe(canonicalJson(sampleEpisode()))
  })

  it.each([
    ['bytes are missing', (envelope: string) => envelope.slice(0, 200)],
    ['it is no JSON', () => '{'],
    ['it is not an episode', () => '{}'],
  ])('says in a sentence that a stored envelope is damaged: %s', async (_, damage) => {
    await save()
    const { episodeId } = sampleEpisode()
    const { envelope } = await temporary.db.episode.findUniqueOrThrow({ where: { episodeId } })
    const data = { envelope: damage(envelope) }
    await temporary.db.episode.update({ where: { episodeId }, data })
    await expect(findEpisode(temporary.db, episodeId)).rejects.toMatchObject({
      code: 'database-unusable',
      message: expect.stringMatching(/^the stored envelope of ep_\w+ is damaged \(.+\): restore a/),
    })
  })

  it('refuses other content under the same name, and keeps the first one', async () => {
    await save()
    await expect(save(FAILED)).rejects.toMatchObject({ code: 'conflict' })
    expect(await temporary.db.episode.count()).toBe(1)
    expect(
      (await findEpisode(temporary.db, sampleEpisode().episodeId))?.episode.outcome.status,
    ).toBe('solved')
  })

  it.each([
    ['text', 'no json at all', 'invalid-episode'],
    ['a broken seal', JSON.stringify({ ...sampleEpisode(), category: 'other' }), 'invalid-episode'],
    ['an unknown run', text({ runId: 'run_unknown001' }), 'not-found'],
    [
      'another plan',
      text({ planDigest: samplePlan({ repetitions: 9 }).planDigest }),
      'invalid-episode',
    ],
  ])('refuses %s and writes nothing', async (_, envelope, code) => {
    await expect(saveEpisode(temporary.db, envelope, RECEIPT)).rejects.toMatchObject({ code })
    expect(await temporary.db.episode.count()).toBe(0)
    expect(await temporary.db.ledgerEntry.count()).toBe(0)
  })

  it('lets several savers of one envelope keep it once', async () => {
    const other = openDb(temporary.place)
    const answers = await Promise.all([
      save(),
      saveEpisode(other, text(), RECEIPT),
      save(),
      saveEpisode(other, text(), RECEIPT),
    ])
    await other.$disconnect()
    expect(answers.sort()).toEqual(['duplicate', 'duplicate', 'duplicate', 'saved'])
  })

  it('writes one ledger entry a run, chained', async () => {
    await save()
    await save({ repetition: 2 })
    const ledger = await listLedger(temporary.db)
    expect(ledger).toMatchObject([
      { sequence: 1, action: { kind: 'include', target: 'run_sample0001' } },
    ])
    expect(findBrokenLink(ledger)).toBeNull()
  })

  it('says that the disk is full and keeps what was there', { tags: 'on-sqlite' }, async () => {
    await save()
    const pages = await temporary.db.$queryRawUnsafe<{ page_count: number }[]>('PRAGMA page_count')
    await temporary.db.$queryRawUnsafe(`PRAGMA max_page_count = ${pages[0]!.page_count}`)
    const reason = 'x'.repeat(500_000)
    const big = { ...FAILED, outcome: { status: 'unsolved', reason } as const, repetition: 2 }
    await expect(save(big)).rejects.toMatchObject({ code: 'disk-full' })
    await temporary.db.$queryRawUnsafe('PRAGMA max_page_count = 1000000')
    expect(await temporary.db.episode.count()).toBe(1)
    expect(await save(big)).toBe('saved')
  })

  it('says that the database is locked and keeps nothing half', async () => {
    const other = openDb(temporary.place)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let holding: Promise<void> | undefined
    await new Promise<void>((taken) => {
      holding = inTransaction(other, () => {
        taken()
        return held
      })
    })
    const hasty = openDb(temporary.place, { waitMs: 100 })
    const locked = saveEpisode(hasty, text(), RECEIPT)
    await expect(locked).rejects.toMatchObject({ code: 'database-busy' })
    release()
    await holding
    await other.$disconnect()
    expect(await saveEpisode(hasty, text(), RECEIPT)).toBe('saved')
    await hasty.$disconnect()
  })
})

describe('derived columns', () => {
  beforeEach(async () => {
    await save()
    await save({ ...VOID, repetition: 2 })
    await save({
      ...FAILED,
      repetition: 2,
      attempt: 2,
      previousAttempt: { episodeId: 'ep_0', reason: 'it ended as void' },
    })
    await save({ ...VOID, taskId: 'beta', taskDigest: samplePlan().tasks[1]!.digest })
  })

  it('count a slot as cut short until it is tried again', async () => {
    const { db } = temporary
    const own = { repetition: 2, taskId: 'beta', taskDigest: samplePlan().tasks[1]!.digest }
    const cancelled = async () =>
      (await countProgress(db, ['run_sample0001'])).get('run_sample0001')
    await save({
      ...VOID,
      ...own,
      failureCategory: 'cancelled',
      outcome: { status: 'cancelled', reason: 'somebody stopped it' },
    })
    expect(await cancelled()).toMatchObject({ sealed: 4, cancelled: 1 })
    const previousAttempt = { episodeId: 'ep_0', reason: 'it was cut short' }
    await save({ ...own, attempt: 2, previousAttempt })
    expect(await cancelled()).toMatchObject({ sealed: 4, solved: 2, cancelled: 0 })
  })

  it('can all be derived again from the envelopes', async () => {
    const rows = await temporary.db.episode.findMany()
    expect(rows).toHaveLength(4)
    for (const row of rows)
      expect(row).toMatchObject(rederiveEpisode(JSON.parse(unpackEnvelope(row.envelope))))
  })

  it('give progress by the latest attempt, cells in order and facts', async () => {
    const { db } = temporary
    expect(await countProgress(db, ['run_sample0001'])).toEqual(
      new Map([
        ['run_sample0001', { sealed: 3, solved: 1, voids: 1, voidAttempts: 2, cancelled: 0 }],
      ]),
    )
    const cells = await listEpisodeCells(db, { runId: 'run_sample0001' })
    expect(
      cells.map(({ taskId, repetition, attempt, status }) => [taskId, repetition, attempt, status]),
    ).toEqual([
      ['alpha', 1, 1, 'solved'],
      ['alpha', 2, 1, 'void'],
      ['alpha', 2, 2, 'unsolved'],
      ['beta', 1, 1, 'void'],
    ])
    const facts = await listFacts(db, samplePlan().suiteDigest)
    expect(facts.map(({ status }) => status).sort()).toEqual(['solved', 'unsolved', 'void', 'void'])
    expect(facts.every(({ provenance }) => provenance === 'local')).toBe(true)
  })
})
