import { createLog } from '#lib/log.ts'

const log = createLog('pages')

/** A page that could not be made: the digest is what its visitor is shown. */
export function tellPageError(
  error: unknown,
  { path, method, requestId }: { path: string; method: string; requestId: string | null },
): void {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  const place = path.split('?')[0]
  log.error('a page failed, please report this bug', {
    digest,
    method,
    path: place,
    requestId,
    error,
  })
}
