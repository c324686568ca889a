import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listAllBoards } from '#lib/db/board-store.ts'
import { openDb } from '#lib/db/open-db.ts'
import { settleEnv } from '#lib/env.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { ON_POSTGRES, postgresDatabase } from '#lib/testing/factories/postgres.ts'
import {
  lastJson,
  pollUntil,
  startProofboard,
  temporarySuite,
} from '#lib/testing/factories/proofboard-command.ts'
import { followLocalRuns } from './local-runs.ts'

let dataDir: string
beforeEach(async () => {
  if (ON_POSTGRES) process.env.DATABASE_URL = (await postgresDatabase()).url
  dataDir = mkdtempSync(join(tmpdir(), 'proofboard-local-runs-'))
  temporarySuite(dataDir, 'small', ['lru-cache'])
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))

const proofboard = (...args: string[]) => proofboardHere(dataDir, args)

/** Returns the state of the data folder: episodes, the ledger's kinds in order, rows of the snapshot. */
async function look() {
  const db = openDb(process.env.DATABASE_URL ?? join(dataDir, 'proofboard.db'))
  try {
    const entries = await db.ledgerEntry.findMany({ orderBy: { sequence: 'asc' } })
    const boards = await listAllBoards(db)
    return {
      episodes: await db.episode.count(),
      runs: await db.run.findMany({ select: { runId: true, provenance: true } }),
      kinds: entries.map(({ kind }) => kind),
      rows: boards.flatMap(({ board }) => board.rows),
    }
  } finally {
    await db.$disconnect()
  }
}

it('puts a run onto the board of a data folder that never had a server, registered before it began', {
  tags: 'night',
  timeout: 300_000,
}, async () => {
  const ended = await proofboard('run', '--suite', 'small', '--subject', 'nop', '--json')
  expect(ended.code, ended.stderr).toBe(0)
  const { runId, board } = lastJson(ended.stdout) as {
    runId: string
    board: { rows: { url: string }[] }
  }
  const { runs, rows, kinds, episodes } = await look()
  expect([episodes, runs]).toEqual([1, [{ runId, provenance: 'local' }]])
  expect(kinds).toEqual(['register', 'include', 'seal-run', 'task-version'])
  const [row] = rows
  expect(row).toMatchObject({ runIds: [runId], registration: { status: 'registered' } })
  expect(board).toMatchObject({ isServed: false, rows: [{ rowId: row?.rowId, isRanked: false }] })
  expect(board.rows[0]?.url).toBe(`http://localhost:3000/?suite=small&open=${row?.rowId}`)
  // A repetition changes nothing; an invalid run id is refused.
  const again = await proofboard('ledger', 'collect', '--run-id', runId)
  expect([again.code, again.stderr]).toEqual([0, ''])
  expect((await look()).kinds).toEqual(kinds)
  const none = await proofboard('ledger', 'collect', '--run-id', '../etc')
  expect([none.code, none.stderr]).toEqual([2, '../etc is not a run id\n'])
})

it('leaves a run in another folder off the board, and makes no database for it', async () => {
  const out = join(dataDir, 'elsewhere')
  const ended = await proofboard(
    'run',
    '--suite',
    'small',
    '--subject',
    'nop',
    '--out',
    out,
    '--json',
  )
  expect(lastJson(ended.stdout)).toMatchObject({ sealed: 1, board: null })
  if (ON_POSTGRES) expect((await look()).episodes).toBe(0)
  else await expect(look()).rejects.toThrow()
}, 300_000)

it('closes a run whose machine is gone, and withdraws it only if its journal shows that nothing began', async () => {
  const plan = join(dataDir, 'plan.json')
  const runId = 'run_replaced0'
  await proofboard('plan', '--suite', 'small', '--subject', 'nop', '--out', plan)
  const args = ['ledger', 'register', '--plan', plan, '--run-id', runId, '--pid', '17']
  const old = { PROOFBOARD_HOST_ID: 'old-container' }
  const registered = await proofboardHere(dataDir, args, old)
  expect(registered.code, registered.stderr).toBe(0)
  const notice = join(dataDir, 'local-runs', runId)
  await followOnce()
  expect([existsSync(notice), (await look()).kinds]).toEqual([true, ['register']])
  const before = new Date(Date.now() - 6 * 60_000)
  utimesSync(notice, before, before)
  await followOnce()
  expect([existsSync(notice), (await look()).kinds], 'its folder is gone').toEqual([
    false,
    ['register'],
  ])
  const folder = join(dataDir, 'runs', 'run_replaced1')
  mkdirSync(folder, { recursive: true })
  const started = '{"at":"2026-11-01T00:00:00.000Z","event":"runner-started"}'
  const begun = '{"at":"2026-11-01T00:00:00.000Z","event":"attempt-started"}'
  const again = ['--run-id', 'run_replaced1', '--pid', '17']
  expect((await proofboardHere(dataDir, [...args.slice(0, 4), ...again], old)).code).toBe(0)
  const place = join(dataDir, 'local-runs', 'run_replaced1')
  for (const [lines, kinds] of [
    [
      [started, begun],
      ['register', 'register'],
    ],
    [[started], ['register', 'register', 'remove']],
  ] as const) {
    writeFileSync(join(folder, 'journal.ndjson'), `${lines.join('\n')}\n`)
    writeFileSync(place, '17 old-container')
    utimesSync(place, before, before)
    await followOnce()
    expect([existsSync(place), (await look()).kinds]).toEqual([false, kinds])
  }
}, 300_000)

it('still expects a run whose folder was removed after its attempts, and shows a withdrawal on the row', async () => {
  const plan = join(dataDir, 'plan.json')
  await proofboard('plan', '--suite', 'small', '--subject', 'nop', '--out', plan)
  const { child, ended } = startProofboard(dataDir, [
    'run',
    '--plan',
    plan,
    '--run-id',
    'run_killed001',
  ])
  const folder = join(dataDir, 'runs', 'run_killed001')
  const journal = join(folder, 'journal.ndjson')
  await pollUntil(
    () => existsSync(journal) && readFileSync(journal, 'utf8').includes('attempt-started'),
  )
  child.kill('SIGKILL')
  await ended
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const again = await proofboard('run', '--plan', plan, '--run-id', 'run_killed002', '--json')
  expect(again.code, again.stderr).toBe(0)
  await followOnce()
  await proofboard('ledger', 'collect', '--run-id', 'run_killed002')
  const [row] = (await look()).rows
  expect(row?.registration).toMatchObject({ status: 'incomplete', owed: 2, received: 1 })
  const why = ['--reason', 'the disk was lost']
  expect((await proofboard('ledger', 'add', 'remove', 'run_killed001', ...why)).code).toBe(0)
  await proofboard('ledger', 'collect', '--run-id', 'run_killed002')
  const [after] = (await look()).rows
  expect(after?.registration).toMatchObject({ status: 'registered', owed: 1, withdrawn: 1 })
}, 300_000)

/** Runs one round of a worker of this machine. */
async function followOnce(): Promise<void> {
  process.env.PROOFBOARD_DATA_DIR = dataDir
  settleEnv(process.cwd())
  const db = openDb(process.env.DATABASE_URL ?? join(dataDir, 'proofboard.db'))
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 100)
  const boards = { request: () => {} } as never
  await followLocalRuns({ db, boards, workerId: 'w', signal: stop.signal })
  await db.$disconnect()
}
