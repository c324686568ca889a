import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { type OutOfTime, wallLimitMs, watchTime } from './watch-time.ts'

const LIMIT_MS = 300
const LOOP = 'for (;;) {}'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** Runs node on the first processor only. */
function start(script: string, niceness: number): ChildProcess {
  const node = ['nice', '-n', String(niceness), process.execPath, '-e', script]
  const child = spawn('taskset', ['-c', '0', ...node], { stdio: 'ignore' })
  started.push(child)
  return child
}

const endOf = (child: ChildProcess) =>
  new Promise<OutOfTime>((resolve) => watchTime(child.pid, LIMIT_MS, resolve))

/** Milliseconds of processor time that a running process had until now. */
function ranMs(child: ChildProcess): number {
  const [ran = '0'] = readFileSync(`/proc/${child.pid}/schedstat`, 'latin1').split(' ')
  return Number(ran) / 1e6
}

describe.runIf(process.platform === 'linux')('the end of a process that loops for ever', () => {
  it('is a time limit where it had its time', async () => {
    const child = start(LOOP, 0)
    const end = await endOf(child)
    // Other tests may leave this one less than a sixth of the processor.
    expect(end).toBe(ranMs(child) < LIMIT_MS ? 'starved' : 'timeout')
  })

  it('comes at the wall limit where the machine is busy, and is not its own fault then', async () => {
    for (let n = 0; n < 3; n++) start(LOOP, 0)
    const startedAt = performance.now()
    expect(await endOf(start(LOOP, 19))).toBe('starved')
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(wallLimitMs(LIMIT_MS))
  })

  it('is its own fault where its own threads keep it busy', async () => {
    const threads = `const { Worker } = require('node:worker_threads')
for (let n = 0; n < 12; n++) new Worker('${LOOP}', { eval: true })
setTimeout(() => { ${LOOP} }, 50)`
    expect(await endOf(start(threads, 0))).toBe('timeout')
  })
})

it('waits six times a short limit, and two minutes longer than a long one', () => {
  expect([1_000, 20_000, 180_000].map(wallLimitMs)).toEqual([6_000, 120_000, 300_000])
})
