import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findBoard } from '#lib/db/board-store.ts'
import { listEvaluationsOf } from '#lib/db/evaluation-store.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import type { Evaluation } from '#lib/domain/record/regrade.ts'
import { settleEnv } from '#lib/env.ts'
import { verifyBusyServer } from '#lib/server/care/verify-archive.ts'
import { handIn } from '#lib/testing/corpora/hand-in.ts'
import { forgeRun, makeRealRun, type RealRun } from '#lib/testing/corpora/real-run.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import { type RealWorker, startRealWorker, until } from '#lib/testing/factories/real-queue.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 240_000 })

/** So long, in CPU time, may a solution that never ends keep the verifier busy. */
const VERIFY_MS = 5_000

const hasSandbox = process.platform === 'linux' && existsSync('/usr/bin/bwrap')
const STUB = readFileSync('exercises/typescript/lru-cache/lru-cache.ts', 'utf8')
const REFERENCE = readFileSync('exercises/typescript/lru-cache/.meta/reference.ts', 'utf8')

let run: RealRun
let board: TemporaryDatabase
let worker: RealWorker
beforeAll(async () => {
  run = await makeRealRun(VERIFY_MS)
  board = await temporaryDatabase({ waitMs: 20_000 })
  temporarySuite(board.dir, 'small', ['lru-cache'], VERIFY_MS)
  vi.stubEnv('PROOFBOARD_DATA_DIR', board.dir)
  settleEnv(process.cwd())
  worker = startRealWorker(board.dir)
  await until(
    'the suite is known',
    async () => (await findSuite(board.db, 'small')) !== null,
    120_000,
  )
})
afterAll(async () => {
  worker.child.kill('SIGTERM')
  await worker.ended
  vi.unstubAllEnvs()
  await board.close()
  rmSync(run.dataDir, { recursive: true, force: true })
})

/** Sends a forged run by a token and waits for an answer about each of its episodes. */
async function send(forgery: Parameters<typeof forgeRun>[1]): Promise<Evaluation[]> {
  const { zip, episodeIds } = forgeRun(run, forgery)
  const done = await handIn(board, zip, { provenance: 'token' })
  expect([done.status, done.preview.items]).toEqual(['committed', expect.anything()])
  return answersOf(episodeIds)
}

async function answersOf(episodeIds: readonly string[]): Promise<Evaluation[]> {
  const read = () => Promise.all(episodeIds.map((id) => listEvaluationsOf(board.db, id)))
  await until(
    'all are evaluated',
    async () => (await read()).every(({ length }) => length > 0),
    300_000,
  )
  return (await read()).flat()
}

async function rowNow() {
  const suite = await findSuite(board.db, 'small')
  const found = suite && (await findBoard(board.db, suite.digest))
  return found?.board.rows[0]
}

describe.runIf(hasSandbox)('a worker with a sandbox', () => {
  it('agrees with an honest sender, and the row and a rebuilt board say so', async () => {
    const answers = await send({ runId: 'run_honest0001' })
    expect(answers.map(({ result, number }) => [result, number])).toEqual([
      ['agreed', 1],
      ['agreed', 1],
    ])
    expect(answers[0]?.verifier).toMatchObject({ sandbox: 'bubblewrap', network: 'none' })
    await until('the row follows', async () => (await rowNow())?.evaluatedHere?.agreed === 2)
    const row = await rowNow()
    expect(row?.evaluatedHere).toEqual({ agreed: 2, disagreed: 0, pending: 0, impossible: 0 })
    expect(row?.refusals.map(({ code }) => code)).not.toContain('evaluated-here')
    expect((await verifyBusyServer(board.dir)).problems).toEqual([])
  })

  it('disagrees with a stub that was sent as solved', async () => {
    const [answer] = await send({ runId: 'run_stub000001', solution: STUB })
    expect(answer).toMatchObject({
      result: 'disagreed',
      after: { status: 'unsolved', verdict: 'fail' },
    })
    await until(
      'the row follows',
      async () => ((await rowNow())?.evaluatedHere?.disagreed ?? 0) > 0,
    )
    expect((await rowNow())?.refusals.map(({ code }) => code)).toContain('evaluated-here')
  })

  it('asks by the suite’s own tests, however few the envelope names', async () => {
    const [answer] = await send({
      runId: 'run_names00001',
      change: ({ contract }) => ({
        contract: contract && { ...contract, expectedTests: 1, executedTests: 1, passedTests: 1 },
      }),
    })
    expect(answer).toMatchObject({ result: 'disagreed' })
    expect(answer?.reason).toMatch(/^its contract expected 1 tests, the suite has \d+$/)
  })

  it('takes no public reference for an agent’s work', async () => {
    const change = () => ({ mode: 'live' as const })
    const [answer] = await send({ runId: 'run_copied0001', change })
    expect(answer).toMatchObject({ result: 'disagreed', after: { status: 'tampered' } })
  })

  it('says of a missing solution that none was sent', async () => {
    const [answer] = await send({ runId: 'run_missing001', solution: null })
    expect(answer).toMatchObject({ result: 'no-solution', after: null })
    const { bundle, episodeIds } = forgeRun(run, { runId: 'run_bare000001' })
    expect((await handIn(board, bundle, { provenance: 'token' })).status).toBe('committed')
    const answers = await answersOf(episodeIds)
    expect(answers.map(({ result }) => result)).toEqual(['no-evidence', 'no-evidence'])
  })

  it.each([
    ['spins', 'for (;;) {}'],
    ['eats memory', 'const all: unknown[] = []; for (;;) all.push(new Array(1e6).fill(1))'],
  ])('ends a solution that %s within limits', async (name, line) => {
    const runId = `run_${name.replaceAll(' ', '')}0001`.padEnd(14, '0')
    const [answer] = await send({ runId, solution: `${REFERENCE}\n${line}\n` })
    expect(answer).toMatchObject({ result: 'disagreed' })
  })

  it('lets a solution out by no file and no connection', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    const mark = join(board.dir, 'escaped')
    await send({ runId: 'run_escape0001', solution: `${REFERENCE}\n${waysOut(port, mark)}\n` })
    expect([connections, existsSync(mark), existsSync('/tmp/proofboard-escaped')]).toEqual([
      0,
      false,
      false,
    ])
    server.close()
  })

  it('kill -9 loses no answer and makes none twice', async () => {
    const runs = ['run_killed0001', 'run_killed0002', 'run_killed0003'].map((runId) =>
      forgeRun(run, { runId }),
    )
    const ids = runs.flatMap(({ episodeIds }) => episodeIds)
    for (const { zip } of runs) await handIn(board, zip, { provenance: 'token' })
    const kept = async () => {
      const all = await Promise.all(ids.map((id) => listEvaluationsOf(board.db, id)))
      return all.flat().length
    }
    await until('one is stored', async () => (await kept()) > 0, 120_000)
    worker.child.kill('SIGKILL')
    await worker.ended
    const before = await kept()
    worker = startRealWorker(board.dir)
    const answers = await answersOf(ids)
    expect(before).toBeLessThanOrEqual(answers.length)
    expect(answers.map(({ result, number }) => [result, number])).toEqual(
      ids.map(() => ['agreed', 1]),
    )
  })
})

/** Every way out that a program might try; the test file itself must still load. */
const waysOut = (port: number, mark: string): string => `
try { (globalThis as any).fetch('http://127.0.0.1:${port}/') } catch {}
try { (globalThis as any).process.getBuiltinModule('net').connect(${port}, '127.0.0.1') } catch {}
for (const path of ['${mark}', '/tmp/proofboard-escaped'])
  try { (globalThis as any).process.getBuiltinModule('fs').writeFileSync(path, 'out') } catch {}
`

describe.runIf(hasSandbox && process.getuid?.() === 0)('a machine without a sandbox', () => {
  it('runs no uploaded code and says so', async () => {
    const { bundle } = forgeRun(run, { runId: 'run_nosandbox1' })
    const { episodes } = JSON.parse(bundle) as { episodes: unknown[] }
    const folder = join(run.folder, 'episodes', 'lru-cache', 'r1-a1')
    const order = join(board.dir, 'order.json')
    const envelope = JSON.stringify(episodes[0])
    writeFileSync(order, JSON.stringify({ suiteId: 'small', episodes: [{ envelope, folder }] }))
    const { code, lines } = await evaluateWithout('/usr/bin/bwrap', order)
    expect([code, lines.map(({ kind }) => kind)]).toEqual([0, ['verifier', 'evaluated']])
    expect(lines[0]).toMatchObject({ verifier: null, why: expect.stringMatching(/./) })
    expect(lines[1]).toMatchObject({ result: 'no-sandbox', after: null })
  })
})

/** The runner in a mount namespace in which a program fails to start. */
async function evaluateWithout(program: string, order: string) {
  const hide = `mount --bind /dev/null ${program} && exec "$@"`
  const cli = resolve('runner/cli/proofboard.mjs')
  const command = [process.execPath, cli, 'evaluate', '--order', order]
  const child = spawn('unshare', ['--mount', 'sh', '-c', hide, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk
  })
  const code = await new Promise((done) => child.once('close', done))
  const lines = text
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
  return { code, lines }
}
