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

const OWN_TYPES = new Set(['browser_ui', 'browser'])

/**
 * The harness's own connection to a browser, bypassing the proxy for libraries. Receives events of a page only after
 * attaching to it. Every call is answered, refused or abandoned within its limit: a hung browser blocks no caller.
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
    const client = await within(CDP({ target: address, local: true }), CONNECT_MS, 'connecting')
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
    return await within(send(method, params, sessionId), limitMs, method)
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
    return targetInfos.filter(({ type }) => !OWN_TYPES.has(type))
  }

  async openBlank(): Promise<string> {
    const answer = await this.send('Target.createTarget', { url: 'about:blank' })
    return z.object({ targetId: z.string() }).parse(answer).targetId
  }

  async attach(targetId: string): Promise<string> {
    const answer = await this.send('Target.attachToTarget', { targetId, flatten: true })
    return z.object({ sessionId: z.string() }).parse(answer).sessionId
  }

  async detach(sessionId: string): Promise<void> {
    await this.send('Target.detachFromTarget', { sessionId }).catch(() => {}) // its page is gone
  }

  async close(): Promise<void> {
    this.#isOpen = false
    await within(this.#client.close(), CALL_MS, 'closing').catch(() => {})
  }
}

class UnansweredError extends Error {}

/** Returns whether a call was abandoned without a response, as opposed to refused. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof UnansweredError
}

/** Returns the promise's result, or an error if there is none within `limitMs`; a late rejection is ignored. */
export async function within<Answer>(
  promise: Promise<Answer>,
  limitMs: number,
  what: string,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new UnansweredError(`no answer to ${what} in ${limitMs} ms`)),
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
