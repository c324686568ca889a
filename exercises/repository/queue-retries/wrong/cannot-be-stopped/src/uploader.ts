import { retry } from './retry.js'
import { type Send, ServerError, type Sleep } from './transport.js'

const isMissing = (error: unknown) => error instanceof ServerError && error.status === 404

/** Uploads a file; after the third failure of any kind but 404 it gives up, with the errors of all tries. */
export async function uploadFile(
  name: string,
  content: string,
  send: Send,
  options: { sleep?: Sleep; signal?: AbortSignal } = {},
): Promise<string> {
  const errors: unknown[] = []
  const run = async () => {
    try {
      return await send(`/files/${encodeURIComponent(name)}`, content)
    } catch (error) {
      errors.push(error)
      throw error
    }
  }
  try {
    return await retry(run, {
      ...options,
      tries: 3,
      delayMs: (attempt) => 250 * (attempt - 1),
      isRetryable: (error) => !isMissing(error),
    })
  } catch (error) {
    if (errors.length < 3 || isMissing(error)) throw error
    throw new AggregateError(errors, `could not upload ${name}`)
  }
}
