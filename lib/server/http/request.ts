import type { z } from 'zod'
import { countOf, formatIssues, problemLines, unknownName } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'
import { createLog, withLogContext } from '../../log.ts'
import { currentSite, isOwnAddress } from './own-origin.ts'
import { chooseRequestId } from './page-policy.ts'

const log = createLog('access')

/**
 * Handles a request under its id: log lines contain it, the response names it, and one line reports the end (`debug`).
 */
export function followRequest(
  { headers, method, url }: Request,
  handle: (requestId: string) => Promise<Response>,
): Promise<Response> {
  const requestId = chooseRequestId(headers.get('x-request-id'))
  return withLogContext({ requestId }, async () => {
    const startedAt = performance.now()
    const response = await handle(requestId)
    response.headers.set('x-request-id', requestId)
    const durationMs = Math.round(performance.now() - startedAt)
    // Only the path: a query may have private content.
    const { pathname: path } = new URL(url)
    log.debug('answered', { method, path, status: response.status, durationMs })
    return response
  })
}

/** Parses the query of a URL; reports each invalid or unknown parameter. The first of a repeated one counts. */
export function parseQuery<S extends z.ZodObject>(request: Request, schema: S): z.infer<S> {
  const query = new URL(request.url).searchParams
  const names = Object.keys(schema.shape)
  const strange = [...query.keys()].find((key) => !names.includes(key))
  if (strange !== undefined)
    throw new AppError('invalid-request', unknownName('parameter', strange.slice(0, 80), names))
  const input = Object.fromEntries([...query.keys()].map((key) => [key, query.get(key)]))
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw new AppError(
    'invalid-request',
    problemLines(formatIssues(parsed.error.issues), 5).join('; '),
  )
}

/**
 * Reads a request's whole body, at most `maxBytes`. Its declared length is only used to refuse. Throws an AppError
 * (too-large).
 */
export async function readRequestBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the stream.
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(maxBytes: number): AppError {
  const message = `The body is larger than ${countOf(maxBytes, 'byte')}: nothing was written.`
  return new AppError('too-large', message)
}

/**
 * Refuses a write that another site's page may have sent: browsers send the page's origin with every write. Throws an
 * AppError (forbidden).
 */
export function requireSameOrigin(headers: Headers): void {
  if (!isOwnAddress(headers.get('origin'), headers, currentSite()))
    throw new AppError('forbidden', 'Cross-origin request refused.')
}
