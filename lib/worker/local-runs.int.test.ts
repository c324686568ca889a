import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDb } from '#lib/db/open-db.ts'
import { boardSchema } from '#lib/domain/board/index.ts'
import {
  lastJson,
  startProofboard,
  temporarySuite,
} from '#lib/testing/factories/proofboard-command.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'proofboard-local-runs-'))
  temporarySuite(dataDir, 'small', ['lru-cache'])
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))

const proofboard = (...args: string[]) => startProofboard(dataDir, args).ended
const run = (subject: string) =>
  proofboard('run', '--suite', 'small', '--subject', subject, '--json')

/** What stands in the data folder: episodes, the ledger's kinds in order, rows of the snapshot. */
async function look() {
  const db = openDb(join(dataDir, 'proofboard.db'))
  try {
    const entries = await db.ledgerEntry.findMany({ orderBy: { sequence: 'asc' } })
    const boards = await db.boardSnapshot.findMany()
    return {
      episodes: await db.episode.count(),
      runs: await db.run.findMany({ select: { runId: true, provenance: true } }),
      kinds: entries.map(({ kind }) => kind),
      rows: boards.flatMap(({ board }) => boardSchema.parse(JSON.parse(board)).rows),
    }
  } finally {
    await db.$disconnect()
  }
}

it('puts two runs at once onto the board of a data folder that never had a server, registered before they began', async () => {
  const ends = await Promise.all([run('reference'), run('nop')])
  const answers = ends.map(({ code, stdout, stderr }) => {
    expect(code, stderr).toBe(0)
    return lastJson(stdout) as {
      runId: string
      board: { isServed: boolean; rows: { url: string; rowId: string }[] }
    }
  })
  const { runs, rows, kinds, episodes } = await look()
  expect(episodes).toBe(2)
  expect(runs.every(({ provenance }) => provenance === 'local')).toBe(true)
  expect(kinds.filter((kind) => kind === 'register')).toHaveLength(2)
  expect(kinds.indexOf('register')).toBeLessThan(kinds.indexOf('include'))
  expect(kinds.filter((kind) => kind === 'seal-run')).toHaveLength(2)
  expect(rows.map(({ subject }) => subject.name).sort()).toEqual(['nop', 'reference'])
  expect(rows.map(({ registration }) => registration?.status)).toEqual(['registered', 'registered'])
  for (const { runId, board } of answers) {
    const row = rows.find((one) => one.runIds.includes(runId))
    expect(board).toMatchObject({ isServed: false, rows: [{ rowId: row?.rowId }] })
    expect(board.rows[0]?.url).toBe(`http://localhost:3000/?suite=small&open=${row?.rowId}`)
  }
  // Again changes nothing; a name that is no run is refused.
  const again = await proofboard('ledger', 'collect', '--run-id', answers[0]?.runId ?? '')
  expect([again.code, again.stderr]).toEqual([0, ''])
  expect((await look()).kinds).toEqual(kinds)
  const none = await proofboard('ledger', 'collect', '--run-id', '../etc')
  expect([none.code, none.stderr]).toEqual([2, '../etc is not a run id\n'])
}, 180_000)

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
  await expect(look()).rejects.toThrow()
}, 120_000)
