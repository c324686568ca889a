import { type Send, ServerError, type Sleep, wait } from './transport.js'

export type Mail = { to: string; text: string }

/** Sends a mail; tries five times in all, with waits of 100, 200, 400 and 800 ms, where the server is only busy. */
export async function sendMail(
  mail: Mail,
  send: Send,
  { sleep = wait }: { sleep?: Sleep } = {},
): Promise<string> {
  let delay = 100
  for (let attempt = 1; ; attempt++) {
    try {
      return await send('/mails', JSON.stringify({ ...mail, attempt }))
    } catch (error) {
      const isBusy = error instanceof ServerError && (error.status === 429 || error.status >= 500)
      if (!isBusy || attempt === 5) throw error
      await sleep(delay)
      delay *= 2
    }
  }
}
