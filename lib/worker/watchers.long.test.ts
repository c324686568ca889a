import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { listEvaluationsOf } from '#lib/db/evaluation-store.ts'
import { EvaluatingBoard } from '#lib/testing/cases/evaluating-board.ts'
import { forgeRunArchive } from '#lib/testing/corpora/real-run.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { waitUntilTrue } from '#lib/testing/factories/real-queue.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 240_000 })

const REFERENCE = readFileSync('exercises/typescript/lru-cache/.meta/reference.ts', 'utf8')

let temporary: EvaluatingBoard
beforeAll(async () => {
  temporary = await EvaluatingBoard.start()
})
afterAll(() => temporary.close())

describe('a worker with a sandbox', { tags: 'bubblewrap' }, () => {
  it.each([
    ['spins', 'for (;;) {}'],
    ['eats memory', 'const all: unknown[] = []; for (;;) all.push(new Array(1e6).fill(1))'],
  ])('ends a solution that %s within limits', async (name, line) => {
    const runId = `run_${name.replaceAll(' ', '')}0001`.padEnd(14, '0')
    const [result] = await temporary.send({ runId, solution: `${REFERENCE}\n${line}\n` })
    expect(result).toMatchObject({ result: 'disagreed' })
  })

  it('asks by the suite’s own tests, however few the envelope names', async () => {
    const [result] = await temporary.send({
      runId: 'run_names00001',
      change: ({ contract }) => ({
        contract: contract && { ...contract, expectedTests: 1, executedTests: 1, passedTests: 1 },
      }),
    })
    expect(result).toMatchObject({ result: 'disagreed' })
    expect(result?.reason).toMatch(/^its contract expected 1 test, the suite has \d+$/)
  })

  it('takes no public reference for an agent’s work', async () => {
    const change = () => ({ mode: 'live' as const })
    const [result] = await temporary.send({ runId: 'run_copied0001', change })
    expect(result).toMatchObject({ result: 'disagreed', after: { status: 'tampered' } })
  })

  it('lets a solution out by no file and no connection', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    const mark = join(temporary.board.dir, 'escaped')
    await temporary.send({
      runId: 'run_escape0001',
      solution: `${REFERENCE}\n${escapes(port, mark)}\n`,
    })
    expect([connections, existsSync(mark), existsSync('/tmp/proofboard-escaped')]).toEqual([
      0,
      false,
      false,
    ])
    server.close()
  })

  it('kill -9 loses no answer and makes none twice', async () => {
    const runs = ['run_killed0001', 'run_killed0002', 'run_killed0003'].map((runId) =>
      forgeRunArchive(temporary.run, { runId }),
    )
    const ids = runs.flatMap(({ episodeIds }) => episodeIds)
    for (const { zip } of runs) await submitBody(temporary.board, zip, { provenance: 'token' })
    const kept = async () => {
      const all = await Promise.all(ids.map((id) => listEvaluationsOf(temporary.board.db, id)))
      return all.flat().length
    }
    await waitUntilTrue('one is kept', async () => (await kept()) > 0, 120_000)
    await temporary.killWorker()
    const before = await kept()
    temporary.startWorker()
    const answers = await temporary.answersOf(ids)
    expect(before).toBeLessThanOrEqual(answers.length)
    expect(answers.map(({ result, number }) => [result, number])).toEqual(
      ids.map(() => ['agreed', 1]),
    )
  })
})

/** Network and process escapes that a program might try; none may disturb the test's own processes. */
const escapes = (port: number, mark: string): string => `
try { (globalThis as any).fetch('http://127.0.0.1:${port}/') } catch {}
try { (globalThis as any).process.getBuiltinModule('net').connect(${port}, '127.0.0.1') } catch {}
for (const path of ['${mark}', '/tmp/proofboard-escaped'])
  try { (globalThis as any).process.getBuiltinModule('fs').writeFileSync(path, 'out') } catch {}
`
