import type { Duplex } from 'node:stream'

const BODY =
  '{"error":{"message":"The gateway speaks HTTP only; repeat the request without an upgrade."}}'

/** WebSockets cannot be metered here: 426 is what makes clients fall back to HTTP at once. */
export function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => {})
  socket.end(
    [
      'HTTP/1.1 426 Upgrade Required',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${BODY.length}`,
      '',
      BODY,
    ].join('\r\n'),
    () => socket.destroy(),
  )
}
