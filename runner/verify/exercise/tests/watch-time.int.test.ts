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

const TICK_MS = 10
/** A process ran a little longer between its end and the reading. */
const READING_MS = 100

/** Checks an ending against the processor time of all threads: other tests may leave them less than a sixth of it. */
async function expectFairEnd(child: ChildProcess): Promise<void> {
  const end = await endOf(child)
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ranMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS
  if (end === 'timeout') expect(ranMs).toBeGreaterThanOrEqual(LIMIT_MS)
  else expect(ranMs).toBeLessThan(LIMIT_MS + READING_MS)
}

describe.runIf(process.platform === 'linux')('the end of a process that loops for ever', () => {
  it('is a time limit where it had its time', async () => {
    await expectFairEnd(start(LOOP, 0))
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
    await expectFairEnd(start(threads, 0))
  })
})

it('waits six times a short limit, and two minutes longer than a long one', () => {
  expect([1_000, 20_000, 180_000].map(wallLimitMs)).toEqual([6_000, 120_000, 300_000])
})
