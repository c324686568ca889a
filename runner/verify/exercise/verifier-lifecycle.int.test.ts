import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CACHE } from '#lib/setup/layout.mjs'
import { endSharedVerifier, sharedVerifier } from '#lib/testing/factories/shared-verifier.ts'
import { createVerifier } from './create-verifier.ts'
import { exerciseInput, oneTest } from './testing/exercise-input.ts'
import { ENDINGS, leftByRunner } from './testing/killed-runner.ts'
import { testProcessesOf } from './testing/start-runner.ts'
import type { ExerciseVerifier } from './verifier-types.ts'

const test = oneTest('answer', 'expect(answer()).toBe(42)')
const right = exerciseInput({ solution: 'export const answer = () => 42', test, expected: ['t'] })
const spins = exerciseInput({ solution: 'export const answer = () => { for (;;); }', test })
const patient = { timeout: 20_000, interval: 20 }

// Test files before this one may have left theirs in this process.
beforeAll(() => endSharedVerifier())

describe('a gate', () => {
  it('evaluates several at once and leaves nothing behind when it closes', {
    tags: 'night',
  }, async () => {
    const gate = createVerifier({ typeWorkers: 2 })
    const reports = await Promise.all(Array.from({ length: 6 }, () => gate.evaluate(right)))
    expect(reports.map((report) => report.verdict)).toEqual(Array(6).fill('pass'))
    await gate.close()
    expect(testProcessesOf(process.pid)).toEqual([])
    await expect(gate.evaluate(right)).rejects.toThrow('closed')
  })

  it('refuses programs that were changed after they were built', async () => {
    const changed = mkdtempSync(join(tmpdir(), 'gate-cache-'))
    // What the test before has built; of other states of the sources there may be more.
    const built = readdirSync(CACHE).filter((name) => name.startsWith('gate-'))
    for (const name of built) {
      cpSync(join(CACHE, name), join(changed, name), { recursive: true })
      appendFileSync(join(changed, name, 'gate-child.js'), '\n')
    }
    const gate = createVerifier({ cacheDir: changed })
    await expect(gate.ready()).rejects.toThrow('was changed after it was built')
    await gate.close()
    rmSync(changed, { recursive: true })
  })

  it('can be closed at once and in the middle of a run', { tags: 'night' }, async () => {
    await createVerifier().close()
    const gate = createVerifier()
    const running = gate.evaluate(spins)
    running.catch(() => undefined)
    await vi.waitFor(() => expect(testProcessesOf(process.pid)).not.toEqual([]), patient)
    await gate.close()
    await expect(running).rejects.toThrow('closed')
    expect(testProcessesOf(process.pid)).toEqual([])
  })

  it('rejects when its test process cannot start: that is not a verdict', {
    tags: 'night',
  }, async () => {
    const place = { sandbox: 'none', network: 'host' } as const
    const enter = () => ({ command: ['/bin/sh', '-c', 'echo broken >&2'], release: () => {} })
    const gate = createVerifier({ places: [{ ...place, enter }] })
    await expect(gate.ready()).rejects.toThrow('did not start: broken')
    await expect(gate.evaluate(right)).rejects.toThrow('did not start')
    await gate.close()
  })

  it('rejects when it cannot be built: that is our defect', async () => {
    const gate = createVerifier({ cacheDir: '/dev/null/nowhere' })
    await expect(gate.evaluate(right)).rejects.toThrow()
    await gate.close()
  })

  it('stops when the caller aborts, and goes on with the next', async () => {
    // The one of this process: files after this one go on with it.
    const gate = sharedVerifier()
    const controller = new AbortController()
    const running = gate.evaluate(spins, controller.signal)
    running.catch(() => undefined)
    setTimeout(() => controller.abort(new Error('enough')), 300)
    await expect(running).rejects.toThrow('enough')
    await expect(gate.evaluate(right, controller.signal)).rejects.toThrow('enough')
    expect((await gate.evaluate(right)).verdict).toBe('pass')
  })
})

describe('the programs of a gate', { tags: 'night' }, () => {
  let ownDir = ''
  const only = (folder: string) => join(folder, readdirSync(folder)[0] ?? '')
  let gates: ExerciseVerifier[] = []
  beforeAll(() => {
    ownDir = mkdtempSync(join(tmpdir(), 'gate-cache-'))
    gates = [createVerifier({ cacheDir: ownDir }), createVerifier({ cacheDir: ownDir })]
  })
  afterAll(() => Promise.all(gates.map((gate) => gate.close())))

  it('are built in a folder of the caller, once', async () => {
    for (const gate of gates) expect((await gate.evaluate(right)).verdict).toBe('pass')
    expect(readdirSync(ownDir)).toHaveLength(1)
    expect(existsSync(join(only(ownDir), 'gate-child.cache'))).toBe(true)
  })

  it('judge on when their folder is gone: they are in memory, out of reach', async () => {
    rmSync(ownDir, { recursive: true })
    for (let round = 0; round < 5; round++)
      expect((await gates[0]?.evaluate(right))?.verdict).toBe('pass')
  })
})

describe('a runner that is killed', { tags: 'linux' }, () => {
  it.each(ENDINGS.slice(0, 1))('%s leaves no process behind', async (_name, solution, signal) =>
    expect(await leftByRunner(solution, signal)).toEqual([]),
  )
})
