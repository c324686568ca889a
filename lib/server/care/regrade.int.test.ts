import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findBoard } from '#lib/db/board-store.ts'
import { cachingBuilder } from '#lib/db/cached-boards.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import {
  copyRegrades,
  dropUntakenRequest,
  hasRegradeRequest,
  listRegradeRequests,
  listRegrades,
  removeRegradeRequest,
  saveRegradeRequest,
  takeRegradeRequest,
} from '#lib/db/regrade-store.ts'
import { includeStoredRuns } from '#lib/db/seal-run.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { episodeSchema } from '#lib/domain/record/episode.ts'
import {
  type Assertion,
  type Episode,
  parseRegradeLines,
  sealEpisode,
} from '#lib/domain/record/index.ts'
import { regradeSchema } from '#lib/domain/record/regrade.ts'
import { settleEnv } from '#lib/env.ts'
import {
  describeRescore,
  listCorrections,
  listOffers,
  requestCorrection,
} from '#lib/server/care/corrections.ts'
import { exportArchive } from '#lib/server/care/export-archive.ts'
import { verifyCopy, verifyServer } from '#lib/server/care/verify-archive.ts'
import { makeRealRun } from '#lib/testing/corpora/real-run.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { saveAllRuns } from '#lib/worker/run-job.ts'
import { syncSuite } from '#lib/worker/sync-suites.ts'
import { followRegrades } from '#lib/worker/watchers.ts'
import { BoardRefresher } from '#lib/worker/worker-context.ts'
import { requestRegrade } from './regrade.ts'

vi.mock('#lib/processes/spawn-runner.ts', async () =>
  (await import('#lib/testing/factories/runner-here.ts')).runnerHere(),
)
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const dir = mkdtempSync(join(tmpdir(), 'proofboard-regrade-'))
let RUN = ''
let folder = ''
const admin = { kind: 'user', id: 'u', name: 'admin@example.org', role: 'admin' } as const
const by = { actor: admin, requestId: 'req-12345678' }
const proofboard = (...args: string[]) => proofboardHere(dir, args)
let task = ''
const attempt = (repetition: number) => join(folder, 'episodes', task, `r${repetition}-a1`)
const FAILED: Assertion = {
  kind: 'tests',
  label: 'every official test passes',
  expected: '0 failed',
  observed: '1 failed',
  verdict: 'fail',
  children: [],
}
const readEpisode = (repetition: number): Episode =>
  episodeSchema.parse(JSON.parse(readFileSync(join(attempt(repetition), 'episode.json'), 'utf8')))

/** Lists the rules that the run's entry does not meet, from the stored board. */
async function refusals(): Promise<string[]> {
  const found = await findBoard(database(), readEpisode(1).suiteDigest)
  return found?.board.rows.flatMap((row) => row.refusals.map(({ code }) => code)) ?? []
}

/** Runs the reference, and seals one envelope again with the result of an older, mistaken verifier. */
beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  settleEnv(process.cwd())
  const run = await makeRealRun()
  RUN = run.runId
  folder = join(dir, 'runs', RUN)
  // Copied here: a run of this data folder would be on the board before its envelope is replaced.
  cpSync(run.folder, folder, { recursive: true })
  cpSync(join(run.dataDir, 'suites'), join(dir, 'suites'), { recursive: true })
  rmSync(run.dataDir, { recursive: true })
  mkdirSync(join(dir, 'elsewhere'))
  task = 'lru-cache'
  const { seal: _, ...body } = readEpisode(2)
  const contract = {
    ...(body.contract as NonNullable<Episode['contract']>),
    verdict: 'fail' as const,
    passedTests: 0,
    assertions: [FAILED],
  }
  const mistaken = sealEpisode({
    ...body,
    contract,
    outcome: { status: 'unsolved', reason: 'an older gate said so' },
    failureCategory: 'test-failure',
    testSuccess: false,
    overallSuccess: false,
  })
  writeFileSync(join(attempt(2), 'episode.json'), JSON.stringify(mistaken))
  await migrateDatabase()
  await saveAllRuns(database())
  await includeStoredRuns(database(), new Date())
  await syncSuite(database(), 'small', new AbortController().signal)
  await refreshBoards()
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

async function refreshBoards(): Promise<void> {
  const boards = new BoardRefresher(database(), cachingBuilder(database()))
  await boards.requestAll()
  await boards.settle()
}

describe('proofboard regrade', () => {
  it('reports changed verdicts, stores each answer, changes no envelope', async () => {
    const before = [1, 2].map((n) => readFileSync(join(attempt(n), 'episode.json'), 'utf8'))
    const { code, stdout } = await proofboard('regrade', '--run', RUN, '--json')
    expect([code, lastJson(stdout)]).toMatchObject([
      1,
      { regraded: 2, agree: 1, disagree: 1, skipped: [] },
    ])
    const record = regradeSchema.parse(
      JSON.parse(readFileSync(join(attempt(2), 'regrade-1.json'), 'utf8')),
    )
    expect(record).toMatchObject({
      before: { status: 'unsolved', verdict: 'fail' },
      after: { status: 'solved', verdict: 'pass' },
      agrees: false,
      seal: readEpisode(2).seal,
      contract: { verdict: 'pass' },
    })
    expect([1, 2].map((n) => readFileSync(join(attempt(n), 'episode.json'), 'utf8'))).toEqual(
      before,
    )
  })

  it('adds a record and overwrites none; one episode alone agrees and exits 0', async () => {
    const first = readFileSync(join(attempt(1), 'regrade-1.json'), 'utf8')
    const { episodeId } = readEpisode(1)
    const { code, stdout } = await proofboard('regrade', folder, '--episode', episodeId)
    expect([code, stdout.trim()]).toEqual([0, '1 regraded, 1 agree, 0 do not'])
    expect(readFileSync(join(attempt(1), 'regrade-1.json'), 'utf8')).toBe(first)
    expect(existsSync(join(attempt(1), 'regrade-2.json'))).toBe(true)
    await copyRegrades(database(), join(dir, 'runs'))
    expect(await listRegrades(database(), RUN)).toHaveLength(3)
  })

  it('judges no solution that is not the one that was sealed', async () => {
    const { evidence, episodeId } = readEpisode(1)
    const path = evidence.find(({ role }) => role === 'solution')?.path ?? ''
    const file = join(attempt(1), path)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `${text}// better\n`)
    expect(digestBytes(readFileSync(file))).not.toBe(digestBytes(text))
    const { code, stderr } = await proofboard('regrade', folder, '--episode', episodeId)
    writeFileSync(file, text)
    expect([code, stderr]).toEqual([0, expect.stringContaining('is not what was sealed')])
  })

  const HERE = 'the run folder'
  it.each([
    [[], 'not both'],
    [['--run', 'run_nowhere01'], 'is not a run folder'],
    [[HERE, '--episode', `ep_${'0'.repeat(32)}`], 'contains no episode'],
  ])('%j', async (args, words) => {
    const own = args.map((arg) => (arg === HERE ? folder : arg))
    const { code, stderr } = await proofboard('regrade', ...own)
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining(words)]])
  })
})

const waiting = () => hasRegradeRequest(database(), RUN)

describe('several hosts of one database', () => {
  const taker = async (workerId: string, alive: string[], has: boolean) =>
    takeRegradeRequest(database(), await listRegradeRequests(database()), {
      workerId,
      alive: new Set(alive),
      hasFiles: () => has,
    })

  it('a request is taken by a living worker of a host with the files, once', async () => {
    const request = { runId: RUN, episodeId: null, requestedBy: 'a', requestedAt: new Date() }
    expect(await saveRegradeRequest(database(), request)).toBe(true)
    expect(await saveRegradeRequest(database(), request)).toBe(false)
    expect(await taker('without', ['without', 'a', 'b'], false)).toBeNull()
    expect(await taker('a', ['a', 'b'], true)).toMatchObject({ runId: RUN, episodeId: null })
    expect(await taker('b', ['a', 'b'], true)).toBeNull()
    // Taken by a worker that is gone.
    expect(await taker('b', ['b'], true)).toMatchObject({ runId: RUN })
    expect(await dropUntakenRequest(database(), RUN)).toBe(false)
    expect(await removeRegradeRequest(database(), RUN)).toBe(true)
    expect(await removeRegradeRequest(database(), RUN)).toBe(false)
  })

  it('regrades of a run folder are copied once, and boards read them without the folder', async () => {
    const before = await listRegrades(database(), RUN)
    await copyRegrades(database(), join(dir, 'runs'))
    await copyRegrades(database(), join(dir, 'elsewhere'))
    expect(await listRegrades(database(), RUN)).toEqual(before)
    expect(before.map(({ agrees }) => agrees)).toEqual([true, false, true])
  })
})

describe('an administrator', () => {
  it('asks, the worker regrades, and both are in the audit log', async () => {
    await requestRegrade({ runId: RUN, episodeId: readEpisode(2).episodeId }, by)
    await expect(requestRegrade({ runId: RUN, episodeId: null }, by)).rejects.toThrow(
      'already queued',
    )
    const stop = new AbortController()
    const boards = new BoardRefresher(database(), cachingBuilder(database()))
    expect(await refusals()).not.toContain('regraded')
    const following = followRegrades({ db: database(), signal: stop.signal, boards, workerId: 'w' })
    for (let looks = 0; (await waiting()) && looks < 600; looks++) await pause(100)
    stop.abort()
    await following
    await boards.settle()
    expect(await refusals()).toContain('regraded')
    expect((await verifyServer(dir)).problems).toEqual([])
    expect(await waiting()).toBe(false)
    const lines = await database().auditEntry.findMany({ where: { target: RUN } })
    expect(lines.map(({ action, actor }) => [action, actor])).toEqual([
      ['run.regrade', 'admin@example.org'],
      ['run.regraded', 'system'],
    ])
    expect(JSON.parse(lines[1]?.detail ?? '')).toMatchObject({ regraded: 1, disagree: 1 })
  })

  it('rescores by the regrade, in public, and the audit line stands or falls with it', async () => {
    const { episodeId } = readEpisode(2)
    const offers = await listOffers(episodeId, await describeRescore(episodeId))
    expect(offers).toEqual(['invalidate', 'rescore'])
    const request = { kind: 'rescore', target: episodeId, reason: 'the gate was mistaken' } as const
    const entry = await requestCorrection(request, by)
    expect(entry).toMatchObject({
      author: 'administrator',
      action: { kind: 'rescore', from: 'unsolved', to: 'solved', verdict: 'pass' },
    })
    await expect(requestCorrection(request, by)).rejects.toThrow('nothing was written')
    const lines = await database().auditEntry.findMany({ where: { action: 'ledger.rescore' } })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ actor: 'admin@example.org', requestId: 'req-12345678' })
    expect(await listCorrections([episodeId])).toMatchObject([
      { kind: 'rescored', status: 'solved' },
    ])
    const good = readEpisode(1).episodeId
    await expect(requestCorrection({ ...request, target: good }, by)).rejects.toThrow('no regrade')
  })

  it('the entry is no longer refused for the regrade once it was rescored', async () => {
    await refreshBoards()
    expect(await refusals()).not.toContain('regraded')
  })

  it('invalidates and takes it back, removes and includes again', async () => {
    for (const kind of ['invalidate', 'reinstate', 'remove', 'include'] as const) {
      expect(await listOffers(RUN)).toContain(kind)
      await requestCorrection({ kind, target: RUN, reason: 'a look' }, by)
    }
    expect(await listOffers(RUN)).toEqual(['invalidate', 'remove'])
  })
})

it('an exported archive says what was regraded, and is whole', async () => {
  await refreshBoards()
  expect((await verifyServer(dir)).problems).toEqual([])
  const to = join(dir, 'archive')
  await exportArchive(dir, to)
  const lines = JSON.parse(
    readFileSync(join(to, 'runs', RUN, 'regrades.json'), 'utf8'),
  ) as unknown[]
  expect(lines).toHaveLength(4)
  expect(verifyCopy(to)).toMatchObject({ ok: true, problems: [] })
})

it('passes over a line that was cut short', async () => {
  const text = readFileSync(join(folder, 'regrades.ndjson'), 'utf8')
  expect(parseRegradeLines(text.slice(0, -20))).toHaveLength(3)
})
