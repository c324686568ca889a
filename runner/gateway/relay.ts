import type { ServerResponse } from 'node:http'
import { exactForms } from '../redact/find-secrets.ts'
import type { UpstreamAnswer } from './http.ts'

/** Effect of an injected fault on a chunk, and whether the client gets anything after it. */
export type Interference = {
  pass: (chunk: Uint8Array) => { bytes: Uint8Array; next: 'go' | 'cut' | 'stall' }
  /** Resolves when a stalled stream has stalled long enough, or at once if the client is gone. */
  stalled: (clientGone: AbortSignal) => Promise<void>
}

export type RelayEnding = {
  /** The side that ended it: whole = the response is complete, and the client received all of it. */
  ending: 'whole' | 'client-gone' | 'upstream-cut' | 'fault'
  /** Bytes sent to the client. */
  bytes: number
}

/** Gets every chunk after it was forwarded; a promise makes the source wait. */
type Listener = (chunk: Uint8Array) => Promise<unknown> | undefined

/**
 * Passes a response on as it arrives, chunk by chunk, at the client's pace; nothing is buffered. If the client leaves,
 * the source is released, and vice versa. After an injected cut the provider is read to the end, so that its cost stays
 * known.
 */
export async function relay(
  response: UpstreamAnswer,
  client: ServerResponse,
  listen: Listener,
  interference: Interference | null,
  onUnread: (isUnread: boolean) => void = () => {},
): Promise<RelayEnding> {
  const sink = new ClientSink(client, interference, onUnread)
  const onClose = () => sink.leave(() => response.abort())
  client.once('close', onClose)
  if (client.closed) onClose()
  try {
    for await (const chunk of response.body) {
      await sink.take(chunk)
      await listen(chunk)
    }
    await sink.finish()
    return { ending: sink.ending('whole'), bytes: sink.bytes }
  } catch {
    client.destroy()
    return { ending: sink.ending('upstream-cut'), bytes: sink.bytes }
  } finally {
    client.removeListener('close', onClose)
    response.abort()
  }
}

class ClientSink {
  readonly #client: ServerResponse
  readonly #interference: Interference | null
  readonly #onUnread: (isUnread: boolean) => void
  readonly #gone = new AbortController()
  #stalling: Promise<void> | null = null
  #isCut = false
  bytes = 0

  constructor(
    client: ServerResponse,
    interference: Interference | null,
    onUnread: (isUnread: boolean) => void,
  ) {
    this.#client = client
    this.#interference = interference
    this.#onUnread = onUnread
  }

  leave(letGo: () => void): void {
    if (this.#client.writableFinished) return
    this.#gone.abort()
    if (!this.#isCut) letGo()
  }

  ending(otherwise: RelayEnding['ending']): RelayEnding['ending'] {
    if (this.#isCut) return 'fault'
    return this.#gone.signal.aborted ? 'client-gone' : otherwise
  }

  async take(chunk: Uint8Array): Promise<void> {
    if (this.#isCut) return
    const passed = this.#interference?.pass(chunk) ?? { bytes: chunk, next: 'go' }
    this.bytes += passed.bytes.length
    if (passed.next === 'go') return await this.#send(passed.bytes)
    this.#isCut = true
    await this.#flush(passed.bytes)
    if (passed.next === 'stall') this.#stalling = this.#stall()
    else this.#client.destroy()
  }

  async finish(): Promise<void> {
    if (this.#isCut) {
      await this.#stalling
      return
    }
    this.#client.end()
    if (this.#client.writableFinished) return
    this.#onUnread(true)
    await this.#heard('finish')
    this.#onUnread(false)
  }

  async #stall(): Promise<void> {
    await this.#interference?.stalled(this.#gone.signal)
    this.#client.destroy()
  }

  async #send(bytes: Uint8Array): Promise<void> {
    if (this.#gone.signal.aborted || this.#client.write(bytes)) return
    this.#onUnread(true)
    await this.#heard('drain')
    this.#onUnread(false)
  }

  /** Waits until the bytes are sent, so that a cut right after them does not drop them. */
  #flush(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.#gone.signal.aborted) return resolve()
      this.#gone.signal.addEventListener('abort', () => resolve(), { once: true })
      this.#client.write(bytes, () => resolve())
    })
  }

  /** Waits for an event, or for the client to leave; removes its listeners. */
  #heard(event: 'drain' | 'finish'): Promise<void> {
    const gone = this.#gone.signal
    return new Promise((resolve) => {
      const done = () => {
        this.#client.removeListener(event, done)
        gone.removeEventListener('abort', done)
        resolve()
      }
      this.#client.once(event, done)
      gone.addEventListener('abort', done, { once: true })
      if (gone.aborted) done()
    })
  }
}

const MAX_BYTES = 1 << 20

/**
 * Removes real keys from error responses: some providers repeat a refused key. Error responses are short, so they are
 * read completely, and a real key in them is masked byte for byte (the length stays the same); others are forwarded
 * unchanged. Longer responses are cut.
 */
export function cleanError(response: UpstreamAnswer, realKeys: readonly string[]): UpstreamAnswer {
  return { ...response, body: cleaned(response, realKeys) }
}

async function* cleaned(
  response: UpstreamAnswer,
  realKeys: readonly string[],
): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body) {
    size += piece.length
    if (size > MAX_BYTES) throw new Error('the error answer is too long')
    pieces.push(piece)
  }
  const bytes = Buffer.concat(pieces)
  for (const form of realKeys.flatMap(exactForms)) blot(bytes, Buffer.from(form))
  yield bytes
}

function blot(bytes: Buffer, form: Buffer): void {
  for (
    let found = bytes.indexOf(form);
    found >= 0;
    found = bytes.indexOf(form, found + form.length)
  )
    bytes.fill('*', found, found + form.length)
}
