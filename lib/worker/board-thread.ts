import { setFlagsFromString } from 'node:v8'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { cachingBuilder } from '../db/cached-boards.ts'
import { closeDatabase, database } from '../db/database.ts'
import type { BuildBoards } from './worker-context.ts'

const ROLE = 'boards'

type Answer = { suiteId: string; problem: string | null }
type Waiting = { resolve: () => void; reject: (error: Error) => void }

/**
 * Boards are computed on a thread of their own with its own connection: it takes up to a minute at a million episodes,
 * and the thread that renews leases must not wait for it. `bundle` is the file that runs `serveBoardThread`. The thread
 * ends with this process; one that died is started again with the next board.
 */
export function startBoardThread(bundle: URL): { build: BuildBoards; stop: () => Promise<void> } {
  let thread: Worker | null = null
  const waiting = new Map<string, Waiting>()
  const settle = ({ suiteId, problem }: Answer) => {
    const asked = waiting.get(suiteId)
    waiting.delete(suiteId)
    if (problem === null) asked?.resolve()
    else asked?.reject(new Error(problem))
  }
  const start = () => {
    const started = new Worker(bundle, { workerData: ROLE })
    const fail = (problem: string) => {
      // It says so twice, and what is asked by then is asked of the next one.
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

/** The thread's side: one board after another; nothing anywhere else. */
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
 * Has garbage of this process collected once the heap is half as large again as what is in use. By itself V8 waits until it
 * is four times as large: building a board of a million episodes then takes a gigabyte instead of 400 MB, and a tenth less
 * of the processor.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
