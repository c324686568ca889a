import type { IncomingMessage } from 'node:http'

/**
 * The whole request body, or null when it is larger than the limit; then the rest is thrown away unread.
 * Throws when the client hangs up.
 */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return null
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > limitBytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
