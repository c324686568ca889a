import type { ServerResponse } from 'node:http'

/** Sends a short answer of the gateway's own; resolves when the client has it or is gone. */
export function sendWhole(
  client: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<void> {
  return new Promise((resolve) => {
    client.once('close', () => resolve())
    if (client.closed || client.headersSent) return resolve()
    client.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    client.end(body, () => resolve())
  })
}

export const JSON_TYPE = { 'content-type': 'application/json' }
