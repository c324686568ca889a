import { type Send, ServerError, type Sleep, wait } from './transport.js'

/** Uploads a file; after the third failure of any kind but 404 it gives up, with the errors of all tries. */
export async function uploadFile(
  name: string,
  content: string,
  send: Send,
  { sleep = wait }: { sleep?: Sleep } = {},
): Promise<string> {
  const errors: unknown[] = []
  while (errors.length < 3) {
    if (errors.length > 0) await sleep(250 * errors.length)
    try {
      return await send(`/files/${encodeURIComponent(name)}`, content)
    } catch (error) {
      if (error instanceof ServerError && error.status === 404) throw error
      errors.push(error)
    }
  }
  throw new AggregateError(errors, `could not upload ${name}`)
}
