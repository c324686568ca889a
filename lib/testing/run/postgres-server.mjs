// @ts-check
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./serve-postgres.mjs', import.meta.url))

/** @typedef {{ url: string, stop: () => Promise<void> } | { skipped: string }} Started a server, or why there is none */

/**
 * Starts a PostgreSQL server for tests, which ends with this process. @returns {Promise<Started>}
 */
export function startPostgres() {
  const guard = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] })
  // After its response the pipe ends it with this process, which does not wait for it.
  const detach = () => {
    guard.unref()
    for (const stream of [guard.stdin, guard.stdout])
      if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
  const ended = new Promise((resolve) => guard.once('exit', resolve))
  const stop = async () => {
    guard.ref()
    guard.stdin.end()
    await ended
  }
  return new Promise((resolve, reject) => {
    guard.once('error', reject)
    guard.once('exit', () => resolve({ skipped: 'the server for tests ended before it answered' }))
    createInterface({ input: guard.stdout }).once('line', (line) => {
      const answer = JSON.parse(line)
      detach()
      resolve('url' in answer ? { url: answer.url, stop } : answer)
    })
  })
}
