import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { waitCommand } from './prepare-step.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const CHECK = { intervalMs: 0, timeoutMs: 30_000, startMs: 0, startIntervalMs: 1000, retries: 3 }

/** Waits with a check that passes at its `passes`-th run, and counts its runs. */
function wait(passes: number, more: Partial<typeof CHECK> = {}, busy = '') {
  const file = join(mkdtempSync(join(root, 'try-')), "runs 'here'")
  const count = `"${file}"`
  const command = `echo x >> ${count}; ${busy} [ "$(wc -l < ${count})" -ge ${passes} ]`
  const { status } = spawnSync('/bin/sh', ['-c', waitCommand({ ...CHECK, ...more, command })])
  return [status, readFileSync(file, 'utf8').split('\n').length - 1]
}

describe('a healthcheck', () => {
  it('is run until it passes, and no more often than allowed', () => {
    expect(wait(1)).toEqual([0, 1])
    expect(wait(3)).toEqual([0, 3])
    expect(wait(4)).toEqual([1, 3])
  })

  it('may fail while its service starts', () => {
    expect(wait(3, { startMs: 3000, retries: 1 })).toEqual([0, 3])
    expect(wait(9, { startMs: 2000, retries: 1 })).toEqual([1, 3])
  })

  it('has a time for each of its runs', () => {
    const startedMs = performance.now()
    expect(wait(1, { timeoutMs: 1000, retries: 2 }, 'sleep 20;')).toEqual([1, 2])
    expect(performance.now() - startedMs).toBeLessThan(15_000)
  })
})
