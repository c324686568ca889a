import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { vi } from 'vitest'
import { isRunning, startRunner, testProcessesOf } from './start-runner.ts'

const SPINS = 'export const answer = () => { for (;;); }'

/** States in which a runner is killed, and the signal. The first runs in every test run, the others in the long one. */
export const ENDINGS: readonly [name: string, solution: string | null, NodeJS.Signals][] = [
  ['while a solution spins', SPINS, 'SIGKILL'],
  ['while a process waits for work', null, 'SIGKILL'],
  ['while a solution waits', 'export const answer = () => new Promise(() => {})', 'SIGKILL'],
  ['by a polite signal', SPINS, 'SIGTERM'],
]

/** Ends a runner and returns which of its processes are alive five seconds later; ends those. */
export async function leftByRunner(
  solution: string | null,
  signal: NodeJS.Signals,
): Promise<number[]> {
  const runner = await startRunner(solution)
  const parent = runner.pid ?? 0
  const found = await vi.waitUntil(
    () => (testProcessesOf(parent).length > 0 ? testProcessesOf(parent) : null),
    { timeout: 20_000, interval: 20 },
  )
  // Long enough for the solution to be running.
  await pause(700)
  const pids = [...found, parent, ...testProcessesOf(parent)]
  const gone = once(runner, 'exit')
  runner.kill(signal)
  await gone
  const areGone = () => !pids.some(isRunning)
  await vi.waitUntil(areGone, { timeout: 5_000, interval: 20 }).catch(() => {})
  const left = pids.filter(isRunning)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  return left
}
