import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CACHE } from '#lib/setup/layout.mjs'
import { endSharedVerifier, sharedVerifier } from '#lib/testing/factories/shared-verifier.ts'
import { exerciseInput, oneTest } from '#lib/testing/verifier/exercise-input.ts'
import { ENDINGS, leftByRunner } from '#lib/testing/verifier/killed-runner.ts'
import { testProcessesOf } from '#lib/testing/verifier/start-runner.ts'
import { createVerifier } from './create-verifier.ts'
import type { ExerciseVerifier } from './verifier-types.ts'

const test = oneTest('answer', 'expect(answer()).toBe(42)')
const right = exerciseInput({ solution: 'export const answer = () => 42', test, expected: ['t'] })
const spins = exerciseInput({ solution: 'export const answer = () => { for (;;); }', test })
const patient = { timeout: 60_000, interval: 20 }

// Earlier test files may have left theirs in this process.
beforeAll(() => endSharedVerifier())

describe('a verifier', () => {
  it('evaluates several at once and leaves nothing behind when it closes', {
    tags: 'night',
  }, async () => {
    const verifier = createVerifier({ typeWorkers: 2 })
    const reports = await Promise.all(Array.from({ length: 6 }, () => verifier.evaluate(right)))
    expect(reports.map((report) => report.verdict)).toEqual(Array(6).fill('pass'))
    await verifier.close()
    expect(testProcessesOf(process.pid)).toEqual([])
    await expect(verifier.evaluate(right)).rejects.toThrow('closed')
  })

  it('refuses programs that were changed after they were built', async () => {
    const changed = mkdtempSync(join(tmpdir(), 'gate-cache-'))
    // Built by the test before; there may be more for other states of the sources.
    const built = readdirSync(CACHE).filter((name) => name.startsWith('gate-'))
    for (const name of built) {
      cpSync(join(CACHE, name), join(changed, name), { recursive: true })
      appendFileSync(join(changed, name, 'gate-child.js'), '\n')
    }
    const verifier = createVerifier({ cacheDir: changed })
    await expect(verifier.ready()).rejects.toThrow('was changed after it was built')
    await verifier.close()
    rmSync(changed, { recursive: true })
  })

  it('can be closed at once and in the middle of a run', { tags: 'night' }, async () => {
    await createVerifier().close()
    const verifier = createVerifier()
    const running = verifier.evaluate(spins)
    running.catch(() => undefined)
    await vi.waitFor(() => expect(testProcessesOf(process.pid)).not.toEqual([]), patient)
    await verifier.close()
    await expect(running).rejects.toThrow('closed')
    expect(testProcessesOf(process.pid)).toEqual([])
  })

  it('rejects when its test process cannot start: that is not a verdict', {
    tags: 'night',
  }, async () => {
    const place = { sandbox: 'none', network: 'host' } as const
    const enter = () => ({ command: ['/bin/sh', '-c', 'echo broken >&2'], release: () => {} })
    const verifier = createVerifier({ places: [{ ...place, enter }] })
    await expect(verifier.ready()).rejects.toThrow('did not start: broken')
    await expect(verifier.evaluate(right)).rejects.toThrow('did not start')
    await verifier.close()
  })

  it('rejects when it cannot be built: that is our defect', async () => {
    const verifier = createVerifier({ cacheDir: '/dev/null/nowhere' })
    await expect(verifier.evaluate(right)).rejects.toThrow()
    await verifier.close()
  })

  it('stops when the caller aborts, and goes on with the next', async () => {
    // The one of this process: later files continue with it.
    const verifier = sharedVerifier()
    const controller = new AbortController()
    const running = verifier.evaluate(spins, controller.signal)
    running.catch(() => undefined)
    setTimeout(() => controller.abort(new Error('enough')), 300)
    await expect(running).rejects.toThrow('enough')
    await expect(verifier.evaluate(right, controller.signal)).rejects.toThrow('enough')
    expect((await verifier.evaluate(right)).verdict).toBe('pass')
  })
})

describe('the programs of a verifier', { tags: 'night' }, () => {
  let ownDir = ''
  const only = (folder: string) => join(folder, readdirSync(folder)[0] ?? '')
  let verifiers: ExerciseVerifier[] = []
  beforeAll(() => {
    ownDir = mkdtempSync(join(tmpdir(), 'gate-cache-'))
    verifiers = [createVerifier({ cacheDir: ownDir }), createVerifier({ cacheDir: ownDir })]
  })
  afterAll(() => Promise.all(verifiers.map((verifier) => verifier.close())))

  it('are built in a folder of the caller, once', async () => {
    for (const verifier of verifiers) expect((await verifier.evaluate(right)).verdict).toBe('pass')
    expect(readdirSync(ownDir)).toHaveLength(1)
    expect(existsSync(join(only(ownDir), 'gate-child.cache'))).toBe(true)
  })

  it('judge on when their folder is gone: they are in memory, out of reach', async () => {
    rmSync(ownDir, { recursive: true })
    for (let round = 0; round < 5; round++)
      expect((await verifiers[0]?.evaluate(right))?.verdict).toBe('pass')
  })
})

describe('a runner that is killed', { tags: 'linux' }, () => {
  it.each(ENDINGS.slice(0, 1))('%s leaves no process behind', async (_name, solution, signal) =>
    expect(await leftByRunner(solution, signal)).toEqual([]),
  )
})
