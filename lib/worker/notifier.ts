import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Notification, notificationBody } from '../domain/formats/index.ts'
import { createLog } from '../log.ts'
import { ask } from '../outgoing/request.ts'

const log = createLog('notify')

const MAX_TRIES = 4
const RETRY_MS = 2000
const TIMEOUT_MS = 10_000
const MAX_REPLY_BYTES = 64 << 10

/** Tells the webhooks of the board; returns at once. */
export type Notify = (notification: Notification) => void

type Options = {
  webhooks: readonly Webhook[]
  /** Signs each body; null = bodies are not signed. */
  secret: string | null
  signal: AbortSignal
  retryMs?: number
}

/** An address that gets notifications. It may contain a secret, so that only its host is ever logged. */
export type Webhook = { url: string; isSlack: boolean }

/** Sends each notification to each webhook, up to four times, without holding anything up. */
export class Notifier {
  readonly #options: Options
  readonly #sending = new Set<Promise<void>>()

  constructor(options: Options) {
    this.#options = options
  }

  send: Notify = (notification) => {
    for (const webhook of this.#options.webhooks) {
      const sending = this.#deliver(notification, webhook).finally(() =>
        this.#sending.delete(sending),
      )
      this.#sending.add(sending)
    }
  }

  /** Waits for what is being sent, for a while. */
  async settle(maxMs: number): Promise<void> {
    const over = new AbortController()
    const limit = pause(maxMs, undefined, { signal: over.signal }).catch(() => {})
    await Promise.race([Promise.all(this.#sending), limit])
    over.abort()
  }

  async #deliver(notification: Notification, webhook: Webhook): Promise<void> {
    const { signal, retryMs = RETRY_MS } = this.#options
    for (let tries = 1; ; tries++) {
      const failure = await this.#post(notification, webhook)
      if (failure === null) return
      if (failure.isFinal || tries === MAX_TRIES || signal.aborted) {
        const { host } = new URL(webhook.url)
        const { id } = notification
        return log.warn('a notification was not delivered', { host, id, reason: failure.reason })
      }
      await pause(retryMs * 4 ** (tries - 1), undefined, { signal }).catch(() => {})
    }
  }

  async #post(
    notification: Notification,
    { url, isSlack }: Webhook,
  ): Promise<{ reason: string; isFinal: boolean } | null> {
    const body = notificationBody(notification, isSlack)
    const { secret } = this.#options
    try {
      const { status } = await ask(new URL(url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'proofboard',
          'x-proofboard-event': notification.kind,
          'x-proofboard-delivery': notification.id,
          ...(secret !== null && { 'x-proofboard-signature-256': signBody(body, secret) }),
        },
        body,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_REPLY_BYTES,
      })
      if (status >= 200 && status < 300) return null
      const isFinal = status < 500 && status !== 408 && status !== 429
      return { reason: `the webhook answered ${status}`, isFinal }
    } catch (error) {
      return { reason: (error as Error).message, isFinal: false }
    }
  }
}

/** `sha256=` and the HMAC of the body in hex, as GitHub signs its webhooks. */
export function signBody(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
