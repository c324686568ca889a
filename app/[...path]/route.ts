import { respondMissing } from '#lib/server/http/respond-missing.ts'

/** Responds to all unknown addresses; proxy.ts sets path, nonce and response headers. */
export function GET({ headers }: Request): Promise<Response> {
  return respondMissing(headers.get('x-page-path') ?? '', headers.get('x-nonce') ?? '')
}
