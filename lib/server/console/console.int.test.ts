import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findBoardTexts } from '#lib/db/board-text-store.ts'
import { openDb } from '#lib/db/open-db.ts'
import { boardSchema } from '#lib/domain/board/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { demoSuite } from '#lib/testing/factories/demo/demo-suites.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { NO_DATABASE, ownDatabase } from '#lib/testing/factories/postgres.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import type { Db } from '../../db/db.ts'
import { refreshBoard } from '../../db/refresh-board.ts'

// Many processes in a row, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 })

const root = mkdtempSync(join(tmpdir(), 'proofboard-console-'))
const dataDir = join(root, 'data')
const exported = join(root, 'archive')
let db: Db

beforeAll(async () => {
  await plantDemo(dataDir, { isSmall: true })
  db = openDb(process.env.DATABASE_URL ?? join(dataDir, 'proofboard.db'))
})
afterAll(async () => {
  await db.$disconnect()
  rmSync(root, { recursive: true, force: true })
})

const proofboard = (...args: string[]) => proofboardHere(dataDir, args)
const snapshot = async (version?: 1 | 2) =>
  (await findBoardTexts(db, demoSuite(version).digest))?.text ?? ''
const rebuild = (from: string, ...more: string[]) =>
  proofboard('board', 'rebuild', '--from', from, '--suite', 'demo', ...more)

describe('from a server to its board and back', () => {
  it('exports what the numbers rest on, and rebuilds the board from it byte for byte', async () => {
    const { code, stdout } = await proofboard('board', 'export', '--to', exported, '--json')
    expect(code).toBe(0)
    expect(lastJson(stdout)).toMatchObject({ to: exported, runs: 5 })
    const kept = await snapshot()
    expect(readFileSync(join(exported, 'leaderboard/demo.json'), 'utf8')).toBe(kept)
    for (const from of [exported, dataDir]) {
      const rebuilt = await rebuild(from)
      expect(rebuilt.code).toBe(0)
      expect(rebuilt.stdout === kept, `the board from ${from} is the kept one`).toBe(true)
    }
  })

  it('rebuilds the board of an earlier suite version too', async () => {
    const { digest } = demoSuite(1)
    const { stdout } = await rebuild(exported, '--suite-version', digest)
    const board = await snapshot(1)
    expect(stdout === board && board !== (await snapshot())).toBe(true)
  })

  it('finds server, archive and ledger file whole', async () => {
    for (const args of [[], ['--from', exported], ['--from', join(exported, 'ledger.json')]]) {
      const { code, stdout } = await proofboard('ledger', 'verify', ...args, '--json')
      const elsewhere = args.length === 0 ? 0 : null
      const head = expect.stringMatching(/^sha256:/)
      expect([code, lastJson(stdout)]).toEqual([
        0,
        { ok: true, entries: 17, head, problems: [], elsewhere },
      ])
    }
  })

  it('follows a correction: the same bytes from both, others than before', async () => {
    const before = await snapshot()
    const rowId = boardSchema.parse(JSON.parse(before)).rows.find(({ rank }) => rank)?.rowId ?? ''
    const add = ['ledger', 'add', 'invalidate', rowId, '--reason', 'measured wrongly']
    const added = await proofboard(...add, '--author', 'tester', '--json')
    expect(lastJson(added.stdout)).toMatchObject({ entry: { sequence: 18, author: 'tester' } })
    const behind = await proofboard('ledger', 'verify')
    expect([behind.code, behind.stderr]).toEqual([
      1,
      expect.stringContaining('does not reflect entry 18 yet'),
    ])
    await refreshBoard(db, demoSuite(), new Date())
    const after = await snapshot()
    expect(after).not.toBe(before)
    expect((await proofboard('ledger', 'verify')).code).toBe(0)

    const listed = await proofboard('ledger', 'list', '--target', rowId, '--json')
    expect(lastJson(listed.stdout)).toMatchObject({ entries: [{ sequence: 18 }] })
    const twice = await proofboard(...add)
    expect(twice).toMatchObject({ code: 1, stdout: '' })
    expect(twice.stderr).toContain('nothing was written')
  })

  it('rebuilds the corrected board, and names where it differs from the one before', async () => {
    const after = await snapshot()
    const again = join(root, 'again')
    expect((await proofboard('board', 'export', '--to', again)).code).toBe(0)
    for (const from of [again, dataDir]) expect((await rebuild(from)).stdout === after).toBe(true)
    const stale = await rebuild(again, '--check', join(exported, 'leaderboard/demo.json'))
    expect([stale.code, stale.stderr]).toEqual([1, expect.stringMatching(/differs: .+ is not /)])
    expect(stale.stdout, 'the entry, what happens to it, and why').toMatch(
      /\(row_\w+\): loses its rank; .*measured wrongly/,
    )
    const same = await rebuild(again, '--check', join(again, 'leaderboard/demo.json'))
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('identical')])
  })
})

describe('without a ledger', () => {
  it('rebuilds from result files alone, by hand: provenance manual, and says so', async () => {
    const folder = join(root, 'bundles')
    mkdirSync(folder)
    for (const runId of ['run_demo000000', 'run_demo000004']) {
      const text = readFileSync(join(exported, 'runs', runId, 'result.json'), 'utf8')
      writeFileSync(join(folder, `${runId}.json`), text)
    }
    const known = await rebuild(folder)
    expect(known.stderr).toContain("the texts of suite demo are this server's")
    const board = boardSchema.parse(JSON.parse(known.stdout))
    expect(board.suite.title).toBe('Demo (simulated)')
    expect(new Set(board.rows.map(({ provenance }) => provenance))).toEqual(new Set(['manual']))

    const nothing = join(root, 'empty')
    const args = ['board', 'rebuild', '--from', folder]
    const bare = await proofboardHere(nothing, args, await ownDatabase({ isEmpty: true }))
    expect(bare.stderr).toContain('without titles and difficulties')
    expect(boardSchema.parse(JSON.parse(bare.stdout)).rows).toEqual(board.rows)
    expect(existsSync(join(root, 'empty'))).toBe(false)
  })

  it('reads a run folder that was cut short', async () => {
    const folder = join(root, 'cut', 'run_demo000004')
    const bundle = JSON.parse(
      readFileSync(join(exported, 'runs/run_demo000004/result.json'), 'utf8'),
    )
    const [episode] = bundle.episodes
    mkdirSync(join(folder, 'episodes/a/r1-a1'), { recursive: true })
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(bundle.plan))
    writeFileSync(join(folder, 'episodes/a/r1-a1/episode.json'), JSON.stringify(episode))
    const { code, stdout } = await rebuild(join(root, 'cut'))
    expect(code).toBe(0)
    expect(boardSchema.parse(JSON.parse(stdout)).rows).toMatchObject([
      { runIds: ['run_demo000004'] },
    ])
  })
})

describe('a changed archive is refused', () => {
  const edit = (path: string, from: string, to: string) => {
    const file = join(exported, path)
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(from)
    writeFileSync(file, text.replace(from, to))
    return () => writeFileSync(file, text)
  }

  it.each([
    ['runs/run_demo000000/result.json', '"status":"unsolved"', '"status":"unsolvee"'],
    ['runs/run_demo000000/result.json', '"steps":', '"stepz":'],
    ['runs/run_demo000000/evidence.json', '[', '[ '],
    ['ledger.json', '"author":"server"', '"author":"Server"'],
    ['manifest.json', '"bytes":', '"bytes":1'],
    ['leaderboard/demo.json', '"rank"', '"rang"'],
  ])('%s', async (path, from, to) => {
    const restore = edit(path, from, to)
    const verified = await proofboard('ledger', 'verify', '--from', exported)
    const rebuilt = await rebuild(exported)
    restore()
    expect(verified.code).toBe(1)
    expect([rebuilt.code, rebuilt.stdout]).toEqual([1, ''])
  })

  it('also one with a file too many or too few', async () => {
    const file = join(exported, 'runs/run_demo000003/result.json')
    const text = readFileSync(file)
    rmSync(file)
    writeFileSync(join(exported, 'more.json'), '{}')
    const { code, stderr } = await proofboard('ledger', 'verify', '--from', exported)
    writeFileSync(file, text)
    rmSync(join(exported, 'more.json'))
    expect(code).toBe(1)
    expect(stderr).toContain('runs/run_demo000003/result.json: is missing')
    expect(stderr).toContain('more.json: is not in the manifest')
    expect((await proofboard('ledger', 'verify', '--from', exported)).code).toBe(0)
  })
})

describe('one launcher for runner and server', () => {
  it('lists both kinds of commands', async () => {
    const { code, stdout } = await startProofboard(dataDir, ['--help']).ended
    expect(code).toBe(0)
    for (const name of ['run', 'plan', 'check', 'server'])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    const server = await startProofboard(dataDir, ['server']).ended
    expect([server.code, server.stdout]).toEqual([0, expect.stringMatching(/^ {2}ledger /m)])
    const ledger = await startProofboard(dataDir, ['server', 'ledger', 'verfy']).ended
    expect([ledger.code, ledger.stderr]).toEqual([2, expect.stringContaining('verify')])
  })

  it.each([
    [['ledger'], 2, 'missing command'],
    [['ledger', 'verfy'], 2, 'did you mean verify'],
    [['ledger', 'add', 'destroy', 'run_x', '--reason', 'x'], 2, 'Allowed choices are'],
    [['ledger', 'add', 'remove', 'run_demo000003'], 2, '--reason'],
    [['ledger', 'add', 'remove', 'run_demo000003', '--reason', ' '], 2, 'reason'],
    [['ledger', 'add', 'remove', 'run_nowhere1', '--reason', 'x'], 1, 'no run run_nowhere1'],
    [['ledger', 'add', 'include', 'run_demo000003', '--reason', 'x'], 1, 'already counts'],
    [['ledger', 'verify', '--from', '/nowhere'], 1, 'there is nothing at /nowhere'],
    [['board', 'export', '--to', dataDir], 1, 'is not empty: nothing was written'],
    [['board', 'rebuild', '--from', '/nowhere'], 1, 'contains no archive'],
    [['board', 'rebuild', '--from', dataDir, '--suite', 'demmo'], 1, 'did you mean demo?'],
  ])('%j', async (args, code, words) => {
    const ended = await proofboard(...args)
    expect(ended.stderr).toContain(words)
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
    expect([ended.code, ended.stdout]).toEqual([code, ''])
  })

  it('says that there is no database and makes none', async () => {
    const empty = join(root, 'empty')
    const own = await ownDatabase({ isEmpty: true })
    for (const args of [['verify'], ['list'], ['add', 'remove', 'run_a', '--reason', 'x']]) {
      const { code, stderr } = await proofboardHere(empty, ['ledger', ...args], own)
      expect([code, stderr]).toEqual([1, expect.stringContaining(NO_DATABASE)])
    }
    expect(existsSync(empty)).toBe(false)
    expect(readdirSync(root)).not.toContain('empty')
  })
})
