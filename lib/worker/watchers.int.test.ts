import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { verifyBusyServer } from '#lib/server/care/verify-archive.ts'
import { EvaluatingBoard } from '#lib/testing/cases/evaluating-board.ts'
import { forgeRunArchive, VERIFY_MS } from '#lib/testing/corpora/real-run.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { ON_POSTGRES } from '#lib/testing/factories/postgres.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import { startRealWorker, waitUntilTrue } from '#lib/testing/factories/real-queue.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 240_000 })

const STUB = readFileSync('exercises/typescript/lru-cache/lru-cache.ts', 'utf8')

let temporary: EvaluatingBoard
beforeAll(async () => {
  temporary = await EvaluatingBoard.start({ isHere: !ON_POSTGRES })
})
afterAll(() => temporary.close())

describe('a worker with a sandbox', { tags: 'bubblewrap' }, () => {
  it('agrees with an honest sender, and the row and a rebuilt board say so', {
    tags: 'night',
  }, async () => {
    const answers = await temporary.send({ runId: 'run_honest0001' })
    expect(answers.map(({ result, number }) => [result, number])).toEqual([
      ['agreed', 1],
      ['agreed', 1],
    ])
    expect(answers[0]?.verifier).toMatchObject({ sandbox: 'bubblewrap', network: 'none' })
    await waitUntilTrue(
      'the row follows',
      async () => (await temporary.rowNow())?.evaluatedHere?.agreed === 2,
    )
    const row = await temporary.rowNow()
    expect(row?.evaluatedHere).toEqual({ agreed: 2, disagreed: 0, pending: 0, impossible: 0 })
    expect(row?.refusals.map(({ code }) => code)).not.toContain('evaluated-here')
    expect((await verifyBusyServer(temporary.board.dir)).problems).toEqual([])
  })

  it('disagrees with a stub that was sent as solved', { tags: 'night' }, async () => {
    const [result] = await temporary.send({ runId: 'run_stub000001', solution: STUB })
    expect(result).toMatchObject({
      result: 'disagreed',
      after: { status: 'unsolved', verdict: 'fail' },
    })
    await waitUntilTrue(
      'the row follows',
      async () => ((await temporary.rowNow())?.evaluatedHere?.disagreed ?? 0) > 0,
    )
    expect((await temporary.rowNow())?.refusals.map(({ code }) => code)).toContain('evaluated-here')
  })

  it('tells what was measured from a stub that was sent as solved, and the row and a rebuilt board say so', async () => {
    const solution = (repetition: number) => (repetition === 2 ? STUB : undefined)
    const isSettled = async () => !(await temporary.rowNow())?.evaluatedHere?.pending
    await waitUntilTrue('nothing is left of what was sent before', isSettled)
    const before = { agreed: 0, disagreed: 0, ...(await temporary.rowNow())?.evaluatedHere }
    const answers = await temporary.send({ runId: 'run_half000001', solution })
    expect(answers).toMatchObject([
      { result: 'agreed', number: 1, verifier: { sandbox: 'bubblewrap', network: 'none' } },
      { result: 'disagreed', number: 1, after: { status: 'unsolved', verdict: 'fail' } },
    ])
    await waitUntilTrue('the row follows', async () => {
      const { agreed = 0, disagreed = 0 } = (await temporary.rowNow())?.evaluatedHere ?? {}
      return agreed - before.agreed === 1 && disagreed - before.disagreed === 1
    })
    const row = await temporary.rowNow()
    expect(row?.evaluatedHere).toMatchObject({ pending: 0, impossible: 0 })
    expect(row?.refusals.map(({ code }) => code)).toContain('evaluated-here')
    expect((await verifyBusyServer(temporary.board.dir)).problems).toEqual([])
  })

  it('says of a missing solution that none was sent', { tags: 'night' }, async () => {
    const [response] = await temporary.send({ runId: 'run_missing001', solution: null })
    expect(response).toMatchObject({ result: 'no-solution', after: null })
    const { bundle, episodeIds } = forgeRunArchive(temporary.run, { runId: 'run_bare000001' })
    expect((await submitBody(temporary.board, bundle, { provenance: 'token' })).status).toBe(
      'committed',
    )
    const answers = await temporary.answersOf(episodeIds)
    expect(answers.map(({ result }) => result)).toEqual(['no-evidence', 'no-evidence'])
  })
})

describe('a worker of another host with a disk of its own', {
  tags: ['bubblewrap', 'on-postgresql'],
}, () => {
  it('leaves what it has no files of to the host that received them', async () => {
    await temporary.killWorker()
    const elsewhere = mkdtempSync(join(tmpdir(), 'proofboard-other-host-'))
    temporarySuite(elsewhere, 'small', ['lru-cache'], VERIFY_MS)
    const other = startRealWorker(elsewhere, { PROOFBOARD_HOST_ID: 'other' })
    onTestFinished(async () => {
      other.child.kill('SIGTERM')
      await other.ended
      rmSync(elsewhere, { recursive: true, force: true })
    })
    const received = forgeRunArchive(temporary.run, { runId: 'run_received01' })
    const bare = forgeRunArchive(temporary.run, { runId: 'run_bare000002' })
    for (const body of [received.zip, bare.bundle])
      expect((await submitBody(temporary.board, body, { provenance: 'token' })).status).toBe(
        'committed',
      )
    // Looked at later, because it arrived later from the same sender.
    const answers = await temporary.answersOf(bare.episodeIds)
    expect(answers.map(({ result }) => result)).toEqual(['no-evidence', 'no-evidence'])
    expect(
      await temporary.board.db.evaluation.count({
        where: { episodeId: received.episodeIds[0] ?? '' },
      }),
    ).toBe(0)
    temporary.startWorker()
    const own = await temporary.answersOf(received.episodeIds)
    expect(own.map(({ result, number }) => [result, number])).toEqual([
      ['agreed', 1],
      ['agreed', 1],
    ])
  })
})

describe('a machine without a sandbox', { tags: ['night', 'bubblewrap', 'root'] }, () => {
  it('runs no untrusted code and says so', async () => {
    const { bundle } = forgeRunArchive(temporary.run, { runId: 'run_nosandbox1' })
    const { episodes } = JSON.parse(bundle) as { episodes: unknown[] }
    const folder = join(temporary.run.folder, 'episodes', 'lru-cache', 'r1-a1')
    const requestFile = join(temporary.board.dir, 'order.json')
    const envelope = JSON.stringify(episodes[0])
    writeFileSync(
      requestFile,
      JSON.stringify({ suiteId: 'small', episodes: [{ envelope, folder }] }),
    )
    const { code, lines } = await evaluateWithout('/usr/bin/bwrap', requestFile)
    expect([code, lines.map(({ kind }) => kind)]).toEqual([0, ['verifier', 'evaluated']])
    expect(lines[0]).toMatchObject({ verifier: null, why: expect.stringMatching(/./) })
    expect(lines[1]).toMatchObject({ result: 'no-sandbox', after: null })
  })
})

/** Evaluates with a runner in a mount namespace where one program cannot be executed. */
async function evaluateWithout(program: string, requestFile: string) {
  const hide = `mount --bind /dev/null ${program} && exec "$@"`
  const cli = resolve('runner/cli/proofboard.mjs')
  const command = [process.execPath, cli, 'evaluate', '--order', requestFile]
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
