import type { EventEmitter } from 'node:events'
import CDP from 'chrome-remote-interface'
import { z } from 'zod'

const CALL_MS = 2000
const CONNECT_MS = 5000

const targetsSchema = z.object({
  targetInfos: z.array(
    z.object({
      targetId: z.string(),
      type: z.string(),
      url: z.string(),
      browserContextId: z.string().optional(),
    }),
  ),
})
export type CdpTarget = z.infer<typeof targetsSchema>['targetInfos'][number]

const INTERNAL_TYPES = new Set(['browser_ui', 'browser'])

/**
 * The harness's own connection to a browser, bypassing the proxy for libraries. Receives events of a page only after
 * attaching to it. Every call succeeds, fails or times out within its limit, so a hung browser blocks no caller.
 */
export class BrowserConnection {
  readonly #client: CDP.Client
  #isOpen = true

  private constructor(client: CDP.Client) {
    this.#client = client
    client.on('disconnect', () => {
      this.#isOpen = false
    })
    client.on('error', () => {})
  }

  static async open(address: string): Promise<BrowserConnection> {
    const client = await withTimeout(
      CDP({ target: address, local: true }),
      CONNECT_MS,
      'connecting',
    )
    return new BrowserConnection(client)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Throws if the browser refuses, is gone, or does not respond within `limitMs`. */
  async send(
    method: string,
    params: Record<string, unknown> = {},
    sessionId?: string,
    limitMs = CALL_MS,
  ): Promise<unknown> {
    if (!this.#isOpen) throw new Error('the connection to the browser is closed')
    const send = this.#client.send.bind(this.#client) as (
      ...call: [string, Record<string, unknown>, string | undefined]
    ) => Promise<unknown>
    return await withTimeout(send(method, params, sessionId), limitMs, method)
  }

  /**
   * Subscribes to every event of this name (of a session: `Inspector.targetCrashed.<session>`); returns a function that
   * unsubscribes.
   */
  on(name: string, listener: (params: object) => void): () => void {
    this.#client.on(name, listener)
    const emitter = this.#client as unknown as EventEmitter // missing from its types
    return () => emitter.off(name, listener)
  }

  /** Lists pages and workers, without the browser's own. */
  async targets(): Promise<CdpTarget[]> {
    const { targetInfos } = targetsSchema.parse(await this.send('Target.getTargets'))
    return targetInfos.filter(({ type }) => !INTERNAL_TYPES.has(type))
  }

  async openBlank(): Promise<string> {
    const result = await this.send('Target.createTarget', { url: 'about:blank' })
    return z.object({ targetId: z.string() }).parse(result).targetId
  }

  async attach(targetId: string): Promise<string> {
    const result = await this.send('Target.attachToTarget', { targetId, flatten: true })
    return z.object({ sessionId: z.string() }).parse(result).sessionId
  }

  async detach(sessionId: string): Promise<void> {
    await this.send('Target.detachFromTarget', { sessionId }).catch(() => {}) // its page is gone
  }

  async close(): Promise<void> {
    this.#isOpen = false
    await withTimeout(this.#client.close(), CALL_MS, 'closing').catch(() => {})
  }
}

class CallTimeoutError extends Error {}

/** Returns whether a call timed out, as opposed to being refused. */
export function isCallTimeout(error: unknown): boolean {
  return error instanceof CallTimeoutError
}

/** Returns the result of the promise. Throws a CallTimeoutError after `limitMs`; a later rejection is ignored. */
export async function withTimeout<T>(
  promise: Promise<T>,
  limitMs: number,
  what: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new CallTimeoutError(`${what} timed out after ${limitMs} ms`)),
      limitMs,
    )
  })
  promise.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
