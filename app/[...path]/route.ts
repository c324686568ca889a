import { respondMissing } from '#lib/server/http/respond-missing.ts'

/** Every address that no page has; proxy.ts sets path and nonce, and the headers of the response. */
export function GET({ headers }: Request): Promise<Response> {
  return respondMissing(headers.get('x-page-path') ?? '', headers.get('x-nonce') ?? '')
}
