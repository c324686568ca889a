import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CappedLog } from './capped-log.ts'
import { listProcesses } from './list-processes.ts'
import { type ProcessRequest, runProcess } from './run-process.ts'

let folder: string
let log: CappedLog
let marker: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  log = new CappedLog(join(folder, 'subject.log'), 64 << 10)
  marker = `test-${process.pid}-${Math.random().toString(36).slice(2)}`
})
afterEach(() => {
  log.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a shell command as a subject and checks that none of its processes is left. */
async function run(command: string, changes: Partial<ProcessRequest> = {}) {
  const ending = await runProcess({
    command,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
    marker,
    folder,
    timeoutMs: 10_000,
    diskQuotaBytes: 8 << 20,
    maxProcesses: 64,
    graceMs: 200,
    log,
    signal: new AbortController().signal,
    ...changes,
  })
  const left = listProcesses().filter(
    (one) => one.environment.includes(marker) || one.cwd.startsWith(folder),
  )
  expect(left).toEqual([])
  return ending
}

describe('a subject process ends as a value and leaves nothing behind', () => {
  it('ends by itself with its exit code and both streams in the log', async () => {
    const ending = await run('echo out; echo err >&2; exit 3')
    expect(ending).toMatchObject({ cause: 'exited', exitCode: 3, signal: null, clean: true })
    await sleep(20)
    log.close()
    expect(readFileSync(log.path, 'utf8').split('\n').sort()).toEqual(['', 'err', 'out'])
  })

  it('is ended at the time limit', async () => {
    const ending = await run('sleep 60', { timeoutMs: 200 })
    expect(ending).toMatchObject({ cause: 'timeout', clean: true })
    expect(ending.overrunMs).toBeGreaterThanOrEqual(0)
  })

  it('is ended even when it ignores SIGTERM', async () => {
    expect(
      await run("trap '' TERM INT HUP; while :; do sleep 0.05; done", { timeoutMs: 200 }),
    ).toMatchObject({ cause: 'timeout', clean: true })
  })

  it('takes daemons in their own session along', async () => {
    const ending = await run('setsid sleep 60 & setsid nohup sleep 61 >/dev/null 2>&1 & exit 0')
    expect(ending).toMatchObject({ cause: 'exited', exitCode: 0, clean: true })
    expect(ending.leftBehind).toBeGreaterThan(0)
  })

  it('takes along a daemon that cleared its environment but stayed in the folder', async () => {
    const ending = await run('env -i setsid sleep 60 </dev/null >/dev/null 2>&1 & exit 0')
    expect(ending).toMatchObject({ cause: 'exited', clean: true })
  })

  it('ends a tree that keeps forking', { tags: 'night' }, async () => {
    const ending = await run(
      'while :; do (while :; do sleep 0.2 & sleep 0.01; done) & sleep 0.02; done',
      { timeoutMs: 5000, maxProcesses: 40 },
    )
    expect(ending).toMatchObject({ cause: 'processes', clean: true })
  })

  it('keeps the head of a flood and counts the rest', async () => {
    const ending = await run('yes flood', { timeoutMs: 500 })
    expect(ending.cause).toBe('timeout')
    const { sizeBytes, droppedBytes } = log.close()
    expect(droppedBytes).toBeGreaterThan(0)
    expect(sizeBytes).toBeLessThan((64 << 10) + 100)
  })

  it('keeps broken UTF-8 byte for byte', async () => {
    await run("printf 'a\\377\\376\\200b'")
    await sleep(20)
    log.close()
    expect([...readFileSync(log.path)]).toEqual([97, 255, 254, 128, 98])
  })

  it('is ended when it fills the disk with one file', async () => {
    expect(await run('dd if=/dev/zero of=big bs=1M count=64 2>/dev/null')).toMatchObject({
      cause: 'disk',
      clean: true,
    })
  })

  it('is ended when it fills the disk with many files', { tags: 'night' }, async () => {
    const ending = await run(
      'i=0; while :; do dd if=/dev/zero of=f$i bs=512k count=1 2>/dev/null; i=$((i+1)); done',
    )
    expect(ending).toMatchObject({ cause: 'disk', clean: true })
  })

  it('reports the signal it died of', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({ cause: 'exited', signal: 'SIGSEGV' })
  })

  it('stops when the run is stopped', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    expect(await run('sleep 60', { signal: controller.signal })).toMatchObject({
      cause: 'cancelled',
      clean: true,
    })
  })

  it('has stdin closed and sees only the environment it is given', async () => {
    process.env.PROOFBOARD_TEST_SECRET = 'do not leak'
    await run('cat; env')
    await sleep(20)
    log.close()
    delete process.env.PROOFBOARD_TEST_SECRET
    expect(readFileSync(log.path, 'utf8')).not.toContain('do not leak')
  })
})
