import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../forward/answer.ts'
import type { RecordedCall, Recording } from './recording.ts'
import { requestKey } from './request-key.ts'

/**
 * Answers from a recording, offline: the n-th request of a key gets the n-th answer of that key, in the pieces it came in.
 * A recorded answer names the folders it was recorded in, so the agent has to work in the same ones (a sandbox gives them).
 * `pace` scales the recorded waiting times (0 = at once). Null from `answer` = the recording does not hold it.
 */
export class Replayer {
  readonly #queues = new Map<string, RecordedCall[]>()
  readonly #places: Readonly<Record<string, string>>
  readonly #pace: number

  constructor(
    recording: Recording,
    options: { places: Readonly<Record<string, string>>; pace: number },
  ) {
    this.#places = options.places
    this.#pace = options.pace
    for (const call of recording.calls) {
      const queue = this.#queues.get(call.key) ?? []
      queue.push(call)
      this.#queues.set(call.key, queue)
    }
  }

  /** Answers that nobody asked for yet. */
  get left(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.length, 0)
  }

  answer(path: string, body: string): { key: string; answer: Answer | null } {
    const key = requestKey(path, body, this.#places)
    const call = this.#queues.get(key)?.shift()
    return { key, answer: call ? play(call, this.#pace) : null }
  }
}

function play(call: RecordedCall, pace: number): Answer {
  const stop = new AbortController()
  return {
    status: call.status,
    headers: call.headers,
    body: pieces(call, pace, stop.signal),
    abort: () => stop.abort(),
  }
}

async function* pieces(
  call: RecordedCall,
  pace: number,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(call.body.data, call.body.encoding)
  let start = 0
  let atMs = 0
  for (const [pieceMs, length] of call.pieces) {
    const wait = (pieceMs - atMs) * pace
    if (wait > 0) await sleep(wait, undefined, { signal: stop })
    stop.throwIfAborted()
    yield bytes.subarray(start, start + length)
    start += length
    atMs = pieceMs
  }
  if (!call.whole) throw new Error('the recorded answer broke off here')
}
