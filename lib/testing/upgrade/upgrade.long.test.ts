import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { openSqlite } from '#lib/db/sqlite-file.ts'
import { postgresDatabase } from '#lib/testing/factories/postgres.ts'
import { pollUntil } from '#lib/testing/factories/proofboard-command.ts'
import { lacking } from '#lib/testing/needs.ts'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import { findObstacle, layOut, OLD_COMMITS, runVersion, startWorkerOf } from './old-version.ts'

// Each test starts a dozen commands, some for the first time.
vi.setConfig({ testTimeout: 900_000 })

const root = mkdtempSync(join(tmpdir(), 'proofboard-old-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const PROOFBOARD = 'runner/cli/proofboard.mjs'
const RUN = [PROOFBOARD, 'run', '--suite', 'typescript', '--subject', 'reference', '--first', '2']

function query(dataDir: string, sql: string): unknown[] {
  const db = openSqlite(join(dataDir, 'proofboard.db'), { readOnly: true })
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

/** Rows that every version stores in the same columns. */
const readFigures = (dataDir: string, ledgerEntries = -1) => ({
  runs: query(dataDir, 'SELECT "runId", "planDigest", "provenance" FROM "Run" ORDER BY 1'),
  episodes: query(
    dataDir,
    'SELECT "episodeId", "status", "seal", "totalMs" FROM "Episode" ORDER BY 1',
  ),
  // A worker appends entries about its suites.
  ledger: query(
    dataDir,
    `SELECT "sequence", "hash" FROM "LedgerEntry" ORDER BY 1 LIMIT ${ledgerEntries}`,
  ),
})

type Row = {
  subject: { name: string }
  success: { rate: number; tasks: number; attempts: number; voids: number }
  repetitions: unknown
  plannedEpisodes: number
}

/** Figures of a stored leaderboard, whether its rows have their own table or not. */
function readLeaderboard(dataDir: string): unknown[] {
  const [board] = query(dataDir, 'SELECT "board" FROM "BoardSnapshot"') as { board: string }[]
  const inside = JSON.parse(board?.board ?? '').rows as Row[]
  const isApart = query(dataDir, `SELECT 1 FROM sqlite_master WHERE "name" = 'BoardRow'`).length > 0
  const apart = isApart
    ? (query(dataDir, 'SELECT "text" FROM "BoardRow"') as { text: string }[])
    : []
  const rows = [...inside, ...apart.map(({ text }): Row => JSON.parse(text))]
  return rows.map(
    ({ subject, success: { rate, tasks, attempts, voids }, repetitions, plannedEpisodes }) => {
      return { name: subject.name, rate, tasks, attempts, voids, repetitions, plannedEpisodes }
    },
  )
}

/** Computes the leaderboard again with this version's worker. */
async function computeAgain(dataDir: string): Promise<void> {
  const computed = () => JSON.stringify(query(dataDir, 'SELECT "computedAt" FROM "BoardSnapshot"'))
  const before = computed()
  const worker = startWorkerOf(PROJECT_ROOT, { PROOFBOARD_DATA_DIR: dataDir })
  await pollUntil(() => computed() !== before)
  await worker.stop()
}

for (const commit of OLD_COMMITS)
  it(
    `upgrades a board of ${commit}, backs it up and restores it`,
    lacking(findObstacle(commit)),
    async () => {
      const old = join(root, commit)
      const dataDir = join(root, `data-${commit}`)
      const own = (args: string[], env = {}) =>
        runVersion(PROJECT_ROOT, [PROOFBOARD, ...args], { PROOFBOARD_DATA_DIR: dataDir, ...env })
      layOut(commit, old)
      runVersion(old, RUN, { PROOFBOARD_DATA_DIR: dataDir })
      const before = readFigures(dataDir)
      const leaderboard = readLeaderboard(dataDir)
      expect(leaderboard).toHaveLength(1)
      expect(before.episodes).toHaveLength(2)

      // Backs up the older database first.
      own(['backup', 'create', '--to', join(root, `before-${commit}`)])
      expect(own(['database', 'migrate'])).toMatch(
        /^migrated from a version before 0\.2\.0 to .*\nas it was before: /,
      )
      expect(readFigures(dataDir)).toEqual(before)
      await computeAgain(dataDir)
      expect(readLeaderboard(dataDir)).toEqual(leaderboard)
      const entries = before.ledger.length
      expect(readFigures(dataDir, entries)).toEqual(before)
      own(['ledger', 'verify'])
      own(['backup', 'create', '--with-evidence', '--to', join(root, `after-${commit}`)])
      for (const when of ['before', 'after']) {
        const place = join(root, `${when}-${commit}`)
        const [name = ''] = readdirSync(place)
        const restored = join(root, `restored-${when}-${commit}`)
        own(['backup', 'verify', join(place, name)])
        own(['backup', 'restore', join(place, name), '--into', restored])
        expect(readFigures(restored, entries)).toEqual(before)
      }
    },
  )

const ROLLING = 'cd916794'

it('refuses a rolling upgrade of two machines on PostgreSQL until the old one stops', {
  tags: 'postgresql',
  ...lacking(findObstacle(ROLLING)),
}, async () => {
  const { url, drop } = await postgresDatabase({ isEmpty: true })
  try {
    const old = join(root, 'rolling')
    layOut(ROLLING, old)
    const first = {
      DATABASE_URL: url,
      PROOFBOARD_DATA_DIR: join(root, 'machine-1'),
      PROOFBOARD_HOST_ID: 'one',
    }
    const second = {
      DATABASE_URL: url,
      PROOFBOARD_DATA_DIR: join(root, 'machine-2'),
      PROOFBOARD_HOST_ID: 'two',
    }
    runVersion(old, RUN, first)
    const worker = startWorkerOf(old, first)
    await worker.started
    const migrate = () => runVersion(PROJECT_ROOT, [PROOFBOARD, 'database', 'migrate'], second)
    expect(migrate).toThrow(/ended with 78: .*another process still uses it/)
    await worker.stop()
    expect(migrate()).toMatch(/^migrated from a version before 0\.2\.0 to .*\nas it was before: /)
    const [copy = ''] = readdirSync(join(root, 'machine-2', 'backups', 'before-upgrade'))
    expect(copy).toMatch(/\.db$/)
    expect(() => runVersion(old, [PROOFBOARD, 'queue', 'list'], first)).toThrow(
      /newer version of Proofboard/,
    )
  } finally {
    await drop()
  }
})
