import { setFlagsFromString } from 'node:v8'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { cachingBuilder } from '../db/cached-boards.ts'
import { closeDatabase, database } from '../db/database.ts'
import type { BuildBoards } from './worker-context.ts'

const ROLE = 'boards'

type Answer = { suiteId: string; problem: string | null }
type Waiting = { resolve: () => void; reject: (error: Error) => void }

/**
 * Starts a thread with its own database connection that computes boards: that takes up to a minute at a million
 * episodes and must not delay the thread that renews leases. `bundle` is the file that runs `serveBoardThread`. The
 * thread ends with this process; one that died is started again with the next board.
 */
export function startBoardThread(bundle: URL): { build: BuildBoards; stop: () => Promise<void> } {
  let thread: Worker | null = null
  const waiting = new Map<string, Waiting>()
  const settle = ({ suiteId, problem }: Answer) => {
    const request = waiting.get(suiteId)
    waiting.delete(suiteId)
    if (problem === null) request?.resolve()
    else request?.reject(new Error(problem))
  }
  const start = () => {
    const started = new Worker(bundle, { workerData: ROLE })
    const fail = (problem: string) => {
      // A dying thread emits two events; later requests belong to the next thread.
      if (thread !== started) return
      thread = null
      for (const suiteId of waiting.keys()) settle({ suiteId, problem })
    }
    started.on('message', settle)
    started.once('error', (error: Error) => fail(error.message))
    started.once('exit', () => fail('the thread that computes boards ended'))
    return started
  }
  return {
    build: (suiteId) =>
      new Promise((resolve, reject) => {
        waiting.set(suiteId, { resolve, reject })
        thread ??= start()
        thread.postMessage(suiteId)
      }),
    stop: async () => {
      await thread?.terminate()
    },
  }
}

/** Computes one board after another on the thread; does nothing on the main thread. */
export function serveBoardThread(): void {
  const port = parentPort
  if (isMainThread || workerData !== ROLE || port === null) return
  keepHeapSmall()
  const build = cachingBuilder(database())
  let working = Promise.resolve()
  port.on('message', (suiteId: string) => {
    working = working.then(async () => {
      const problem = await build(suiteId).then(
        () => null,
        (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : `${error}`),
      )
      port.postMessage({ suiteId, problem } satisfies Answer)
    })
  })
  port.once('close', () => void closeDatabase())
}

/**
 * Triggers garbage collection once the heap is half as large again as what is in use. V8's default waits until it is
 * four times as large: building a board of a million episodes then takes a gigabyte instead of 400 MB, and a tenth less
 * CPU time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
