import { retry } from './retry.js'
import { type Send, ServerError, type Sleep } from './transport.js'

export type Mail = { to: string; text: string }

/** Sends a mail; tries five times in all, with waits of 100, 200, 400 and 800 ms, where the server is only busy. */
export function sendMail(
  mail: Mail,
  send: Send,
  options: { sleep?: Sleep; signal?: AbortSignal } = {},
): Promise<string> {
  return retry((attempt) => send('/mails', JSON.stringify({ ...mail, attempt })), {
    ...options,
    tries: 5,
    delayMs: (attempt) => 100 * 2 ** (attempt - 2),
    isRetryable: (error) =>
      error instanceof ServerError && (error.status === 429 || error.status >= 500),
  })
}
