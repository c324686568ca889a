import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isProcessAlive } from './is-process-alive.ts'

const MOST_MS = 30_000
const STEP_MS = 100

/**
 * A killed worker's runner sees its stdin close and ends in order, which takes a moment: waits for it, because the
 * run folder is its own until then. The folder's `runner.pid` starts with the number of its process.
 */
export async function awaitFormerRunner(folder: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + MOST_MS
  while (performance.now() < deadline && !signal.aborted && (await isHeld(folder))) {
    await pause(STEP_MS, undefined, { signal }).catch(() => {})
  }
}

async function isHeld(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'runner.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 && isProcessAlive(pid)
}
