import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDb } from '#lib/db/open-db.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { sealRun } from '#lib/db/seal-run.ts'
import { openSqlite } from '#lib/db/sqlite-file.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { canonicalJson } from '#lib/domain/digest/index.ts'
import { type Episode, sealEpisode } from '#lib/domain/record/index.ts'
import {
  SAMPLE_RUN_ID,
  sampleEpisode,
  samplePlan,
  sampleSuite,
} from '#lib/testing/factories/samples.ts'
import { saveSampleRun, writeMigrated } from '#lib/testing/factories/temporary-database.ts'
import { refreshBoard } from '../../db/refresh-board.ts'
import { verifyServer } from './verify-archive.ts'

const suite = sampleSuite()
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
})
const episodes = plan.tasks.flatMap(({ taskId, digest: taskDigest }) =>
  [1, 2].map((repetition) => sampleEpisode({ taskId, taskDigest, repetition }, plan)),
)
const [first] = episodes as [Episode]
const directory = (episode: Episode) =>
  `runs/${SAMPLE_RUN_ID}/episodes/${episode.taskId}/r${episode.repetition}-a1`

const root = mkdtempSync(join(tmpdir(), 'proofboard-verify-'))
const whole = join(root, 'whole')
const dir = join(root, 'copy')

beforeAll(async () => {
  writeMigrated(join(whole, 'proofboard.db'))
  const db = openDb(join(whole, 'proofboard.db'))
  const now = new Date('2026-01-02T03:04:05.678Z')
  await saveSuite(db, suite, now)
  await saveSampleRun(db, plan)
  for (const episode of episodes) {
    const receipt = { provenance: 'local', directory: directory(episode), receivedAt: now } as const
    await saveEpisode(db, JSON.stringify(episode), receipt)
    mkdirSync(join(whole, directory(episode)), { recursive: true })
    writeFileSync(join(whole, directory(episode), 'episode.json'), JSON.stringify(episode))
  }
  await sealRun(db, SAMPLE_RUN_ID, now)
  await refreshBoard(db, suite, now)
  await db.$disconnect()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

beforeEach(() => cpSync(whole, dir, { recursive: true }))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Tampers with the file; returns what the check reports. */
async function tamper(sql: string, ...values: unknown[]): Promise<string> {
  const db = openSqlite(join(dir, 'proofboard.db'))
  db.pragma('foreign_keys = OFF')
  const { changes } = db.prepare(sql).run(...values)
  db.close()
  expect(changes).toBeGreaterThan(0)
  return await findings()
}

async function findings(): Promise<string> {
  const { ok, problems } = await verifyServer(dir)
  expect(ok).toBe(problems.length === 0)
  return problems.map(({ place, problem }) => `${place}: ${problem}`).join('\n')
}

/** Returns the value with one byte changed, at the given share of its length. */
function edited(value: unknown, share: number): unknown {
  if (typeof value === 'number') return value === 1 ? 7 : value + 1
  const text = String(value)
  const place = Math.min(text.length - 1, Math.floor(text.length * share))
  const other = String.fromCharCode(text.charCodeAt(place) ^ 1)
  return text.slice(0, place) + other + text.slice(place + 1)
}

function read(table: string, column: string, where: string): unknown {
  const db = openSqlite(join(dir, 'proofboard.db'), { readOnly: true })
  const row = db.prepare(`SELECT "${column}" AS value FROM "${table}" WHERE ${where}`).get()
  db.close()
  return (row as { value: unknown }).value
}

const LEDGER = [
  'sequence',
  'at',
  'author',
  'reason',
  'action',
  'kind',
  'target',
  'previousHash',
  'hash',
]
const EPISODE = [
  'envelope',
  'fact',
  'provenance',
  'runId',
  'planDigest',
  'suiteId',
  'suiteDigest',
  'taskId',
  'taskDigest',
  'subjectId',
  'repetition',
  'attempt',
  'status',
  'mode',
  'verdict',
  'startedAt',
  'totalMs',
  'seal',
]
const SHARES = [0, 0.5, 0.99]

describe('one edited byte is found', () => {
  it('in an intact archive: nothing', async () => expect(await findings()).toBe(''))

  it.each(LEDGER.flatMap((column) => SHARES.map((share) => [column, share] as const)))(
    'in %s of a ledger entry, at %d of its length',
    async (column, share) => {
      const value = edited(read('LedgerEntry', column, 'sequence = 2'), share)
      const sql = `UPDATE "LedgerEntry" SET "${column}" = ? WHERE sequence = 2`
      expect(await tamper(sql, column === 'sequence' ? 9 : value)).toMatch(/entry [23]/)
    },
  )

  it.each(EPISODE.flatMap((column) => SHARES.map((share) => [column, share] as const)))(
    'in %s of an episode, at %d of its length',
    async (column, share) => {
      const where = `"episodeId" = '${first.episodeId}'`
      const value = edited(read('Episode', column, where), share)
      expect(await tamper(`UPDATE "Episode" SET "${column}" = ? WHERE ${where}`, value)).toContain(
        first.episodeId,
      )
    },
  )

  it.each([
    ['Run', 'provenance', SAMPLE_RUN_ID],
    ['Run', 'shard', SAMPLE_RUN_ID],
    ['Run', 'suiteId', SAMPLE_RUN_ID],
    ['Plan', 'document', 'plan'],
    ['Plan', 'frozenAt', 'plan'],
    ['Suite', 'title', 'board of'],
    ['Suite', 'isCurrent', 'suite sample'],
    ['Task', 'definition', 'sample'],
    ['Task', 'title', 'sample'],
    ['BoardSnapshot', 'board', 'board of sample'],
    ['BoardSnapshot', 'digest', 'board of sample'],
  ])('in %s.%s', async (table, column, place) => {
    const value = column === 'shard' ? '1/2' : edited(read(table, column, '1'), 0.4)
    const known = column === 'provenance' ? 'oidc' : value
    expect(await tamper(`UPDATE "${table}" SET "${column}" = ?`, known)).toContain(place)
  })
})

describe('what is missing or forged', () => {
  it('names an episode that was deleted, from its folder and from the plan', async () => {
    const sql = 'DELETE FROM "Episode" WHERE "episodeId" = ?'
    const message = await tamper(sql, first.episodeId)
    expect(message).toContain(
      'contains 3 episodes, but ledger entry 3 sealed 4; nothing is stored for alpha/1',
    )
    expect(message).toContain(`episode ${first.episodeId}: its run folder has it`)
  })

  it('names an episode that was sealed again, with consistent columns', async () => {
    const { seal: _, ...body } = first
    const forged = sealEpisode({ ...body, effort: { ...body.effort, steps: 1 } })
    const { effort: __, ...rest } = JSON.parse(
      String(read('Episode', 'fact', `"seal" = '${first.seal}'`)),
    )
    const fact = canonicalJson({ ...rest, steps: 1 })
    const sql = 'UPDATE "Episode" SET "envelope" = ?, "seal" = ?, "fact" = ? WHERE "episodeId" = ?'
    const message = await tamper(sql, canonicalJson(forged), forged.seal, fact, first.episodeId)
    expect(message).toContain(
      `run ${SAMPLE_RUN_ID}: contains other episodes than ledger entry 3 sealed`,
    )
    expect(message).toContain(
      `episode ${first.episodeId}: its run folder has it under another seal`,
    )
    expect(message).not.toContain('column')
  })

  it('names a run that the ledger does not include, and an entry taken out', async () => {
    expect(await tamper('DELETE FROM "LedgerEntry" WHERE sequence = 2')).toContain('entry 2')
    expect(await tamper('DELETE FROM "LedgerEntry"')).toContain(
      'has episodes and is not in the ledger',
    )
  })

  it('names damage of the file itself', async () => {
    writeFileSync(join(dir, 'proofboard.db'), 'no database')
    await expect(verifyServer(dir)).rejects.toThrow(/damaged or no SQLite/)
  })

  it('changes nothing, and refuses a database that is not there or of another version', async () => {
    const before = read('LedgerEntry', 'hash', 'sequence = 3')
    await findings()
    expect(read('LedgerEntry', 'hash', 'sequence = 3')).toBe(before)
    await expect(verifyServer(join(root, 'nowhere'))).rejects.toThrow(/there is no database at/)
    const db = openSqlite(join(dir, 'proofboard.db'))
    db.prepare('DELETE FROM "_prisma_migrations" WHERE migration_name LIKE ?').run(
      '%ledger_sequence',
    )
    db.close()
    await expect(verifyServer(dir)).rejects.toThrow(/from an earlier version/)
  })
})
