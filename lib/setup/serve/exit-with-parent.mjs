// @ts-check
// Preloaded into the web server and the worker (`node --import`). Their stdin is a pipe that the supervisor holds: when
// it closes, even because of a kill -9, they end too, so that no orphan keeps the port or the queue.

import { isMainThread } from 'node:worker_threads'
import { takeKeys } from '../take-keys.mjs'

/** Longer than any of them takes to end normally. */
const GRACE_MS = 25_000

// Children with the same preload (Next's development server starts some) have another parent and stdin, and a thread
// ends with its process.
process.env.PROOFBOARD_SUPERVISED_PID ||= String(process.pid)
const isOurs = process.env.PROOFBOARD_SUPERVISED_PID === String(process.pid)

if (process.env.PROOFBOARD_SUPERVISED === '1' && isOurs && isMainThread) {
  takeKeys()
  const end = () => {
    setTimeout(() => process.exit(1), GRACE_MS).unref()
    process.kill(process.pid, 'SIGTERM')
  }
  process.stdin.once('end', end).once('error', end).resume()
  // No process reads the output any more, and an error of writing it must not end this one.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  // The pipe alone must not keep the process alive.
  if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref()
}
